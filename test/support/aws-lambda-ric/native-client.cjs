// Loaded before AWS's runtime client, in place of the part of it that is compiled: that one fetches invocations from Lambda's
// Runtime API and posts what became of them. Here both go through the channel to the parent process.
const Module = require('node:module');

const waiting = [];
const arrived = [];
process.on('message', (invocation) => {
  if (invocation === 'no more') return process.disconnect();
  const take = waiting.shift();
  if (take) take(invocation);
  else arrived.push(invocation);
});

const client = {
  next: () => new Promise((take) => (arrived.length > 0 ? take(arrived.shift()) : waiting.push(take))),
  done: (_id, answer) => void process.send(answer),
  error: (_id, error) => void process.send(error),
};

const load = Module._load;
Module._load = (name, ...more) => (name === './rapid-client.node' ? client : load(name, ...more));
