// Asks `orca mcp` through the client of the protocol's own TypeScript SDK:
//     npm install --prefix /tmp/sdk @modelcontextprotocol/sdk@1
//     NODE_PATH=/tmp/sdk/node_modules node tests/tools/orca/mcp/sdk_client.mjs ORCA PREFIX
// PREFIX is a recording without a threshold, which whatif would refuse. The client checks each answer
// against the schemas of the protocol. Prints "ok", or the first fault, with exit status 1.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(pathToFileURL(`${process.env.NODE_PATH}/`));
const load = async (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { Client } = await load('client/index.js');
const { StdioClientTransport } = await load('client/stdio.js');
const { ResultSchema } = await load('types.js');

const [orca, recording] = process.argv.slice(2);
const client = new Client({ name: 'sdk_client', version: '1' });
await client.connect(new StdioClientTransport({ command: orca, args: ['mcp'] }));
assert.equal(client.getServerVersion().name, 'orca');

const { tools } = await client.listTools();
assert.equal(tools.length, 11);
for (const { name } of tools) {
  const given = name === 'diff' ? { recording, before: recording } : { recording };
  const answer = await client.callTool({ name, arguments: given });
  assert.equal(answer.content[0].type, 'text');
  assert.ok(Buffer.byteLength(answer.content[0].text) <= 2000, name);
  assert.match(answer.content[0].text, /\nNext: .+\.\n$/, name);
  assert.ok(!answer.isError, `${name}: ${answer.content[0].text}`);
}

// A wrong argument is an error of the tool, which says what to do next.
const refuse = async (name, given, reason) => {
  const answer = await client.callTool({ name, arguments: given });
  assert.ok(answer.isError, name);
  assert.match(answer.content[0].text, reason);
  assert.match(answer.content[0].text, /\nNext: call it again with other arguments/);
};
await refuse('report', { recording: '/none' }, /no recording at \/none/);
await refuse('report', {}, /the argument recording is missing/);
await refuse('report', { recording: 7 }, /the argument recording takes a text/);
await refuse('report', { recording, frob: 1 }, /report has no argument "frob"/);
await refuse('log', { recording, around: 'noon' }, /noon/);
await refuse('locks', { recording, thread: 'no such thread' }, /no thread is no such thread/);
await assert.rejects(client.callTool({ name: 'rm', arguments: {} }), /there is no such tool/);
await assert.rejects(client.request({ method: 'resources/list' }, ResultSchema), /this server has/);

// A cancelled request has no answer, and the server goes on.
const abort = new AbortController();
const cancelled = client.callTool({ name: 'report', arguments: { recording } }, undefined, { signal: abort.signal });
abort.abort('not needed');
await assert.rejects(cancelled, /not needed/);
await client.ping();

// A message that is too long is refused; the next one is answered.
const huge = client.callTool({ name: 'report', arguments: { recording: 'x'.repeat(2 << 20) } }, undefined, { timeout: 1000 });
await assert.rejects(huge, /timed out/i);
await client.ping();
await Promise.all(Array.from({ length: 20 }, () => client.ping()));
await client.close();
console.log('ok');
