package classifier

// Redact replaces secrets in the usual places of a text by [redacted]: bearer
// tokens and other credentials, keys that show what they are, user information
// and query values of URLs, header lines and members whose names are those of
// secrets. It changes nothing else, and so, unlike a [Record], neither shortens
// the text nor takes out control characters, unless a secret is found only
// without them: then all of them are gone. It errs on the side of taking out
// too much; a secret that looks like any other word, in a place of no such name,
// it cannot know.
func Redact(text string) string {
	clean := redact(text)
	// What hides inside a secret must not hide the secret.
	if plain := mapPrintable(text); plain != text {
		if found := redact(plain); found != mapPrintable(clean) {
			return found
		}
	}
	return clean
}

// IsSecretName tells whether a member, a header field, a parameter or a variable
// of that name holds a secret, such as Authorization or api_key. isNumber tells
// that its value is a plain number, which may be a count, as that of max_tokens.
func IsSecretName(name string, isNumber bool) bool { return isSecretName(name, isNumber) }
