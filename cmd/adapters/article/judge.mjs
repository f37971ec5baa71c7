// The article's decision: which of eight outcomes one whole answer amounts to.
// It is given no headers. Numbers are JavaScript's, so ids and codes are rounded
// to doubles.

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);
const holds = (object, name) => Object.hasOwn(object, name);

export function judge(status, text, requestID) {
  const isSuccessful = status >= 200 && status <= 299;
  if (!isSuccessful) return { outcome: 'HTTP_ERROR' };

  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return { outcome: 'MALFORMED_JSON' };
  }
  if (!isResponse(message, requestID)) return { outcome: 'INVALID_ENVELOPE' };
  return holds(message, 'error') ? judgeError(message.error) : judgeResult(message.result);
}

// A response to this request has exactly one of result and error; presence counts.
function isResponse(message, requestID) {
  return isObject(message)
    && message.jsonrpc === '2.0'
    && message.id === requestID
    && holds(message, 'result') !== holds(message, 'error');
}

function judgeError(error) {
  const isError = Boolean(error) && Number.isInteger(error.code) && typeof error.message === 'string';
  return isError ? { outcome: 'JSONRPC_ERROR', code: error.code } : { outcome: 'INVALID_ENVELOPE' };
}

function judgeResult(result) {
  const invalid = { outcome: 'INVALID_TOOL_RESULT' };
  if (!isObject(result)) return invalid;

  // Servers of earlier revisions send no resultType.
  const type = holds(result, 'resultType') ? result.resultType : 'complete';
  if (type === 'input_required') return { outcome: 'INPUT_REQUIRED' };
  if (type !== 'complete' || !Array.isArray(result.content)) return invalid;

  const isError = holds(result, 'isError') ? result.isError : false;
  if (typeof isError !== 'boolean') return invalid;
  return { outcome: isError ? 'TOOL_ERROR' : 'TOOL_SUCCESS' };
}
