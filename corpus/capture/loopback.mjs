// Loaded before the reference server, which would listen on every interface:
// keeps each listener to loopback and tells its port on standard output.
import net from "node:net";

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (port, ...rest) {
  const ready = rest.find((argument) => typeof argument === "function");
  this.once("listening", () => console.log(`capture: port ${this.address().port}`));
  return listen.call(this, { port: Number(port), host: "127.0.0.1" }, ready);
};
