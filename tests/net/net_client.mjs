// net_client.mjs -- Node's own WebSocket client at our server: node net_client.mjs ws://127.0.0.1:PORT/arena
// Exits with 0 when all went well, with 77 when this Node has no WebSocket.
if (typeof WebSocket === 'undefined') process.exit(77);

const fail = (reason) => {
    console.error(reason);
    process.exit(1);
};
const messages = ['hello', '', 'ä€😀', 'x'.repeat(126), 'y'.repeat(65536), 'z'.repeat(200000)];
const socket = new WebSocket(process.argv[2]);
let answered = 0;
socket.onerror = (event) => fail(`error: ${event.message}`);
socket.onopen = () => messages.forEach((message) => socket.send(message));
socket.onmessage = (event) => {
    if (event.data !== messages[answered]) fail(`message ${answered} came back as ${event.data.length} letters`);
    answered += 1;
    if (answered === messages.length) socket.close(4002, 'für heute');
};
socket.onclose = (event) => {
    if (answered !== messages.length || event.code !== 4002 || !event.wasClean) fail(`closed with ${event.code}`);
};
