// bot.mjs -- a whole player in JavaScript: node examples/bot.mjs ws://localhost:1218 zorde [NAME]
// Seeks a quick match, makes any legal move, says how it ended. Make choose() clever to make it yours. Node 22 has WebSocket built
// in; older ones take it from the package `ws`. In a page the same lines work without an import.
const Socket = globalThis.WebSocket ?? (await import('ws')).WebSocket;
const [url, game, name = 'JavaScript'] = process.argv.slice(2);
const socket = new Socket(new URL('/arena', url).href);
const send = message => socket.send(JSON.stringify(message));
const any = list => list[Math.floor(Math.random() * list.length)];

/** All you may do is in `actions`, all there is to see in `board`. */
function choose(position) {
  const {verb, unit, ability, cells} = any(position.actions);
  const [x, y, other = 0, amount = 0] = any(cells);
  return {verb, unit, ability, x, y, other, amount};
}

let over = false;
function end(sentence, code) {
  if (over) return;
  over = true;
  console.log(sentence);
  process.exitCode = code;
  socket.close();
}

const handlers = {
  account: () => send({type: 'seek', game, rated: true}),
  refused: message => message.code !== 'late' && end(`refused: ${message.reason}`, 1),
  closed: message => end(`the table is gone: ${message.reason}`, 1),
  position(message) {
    if (message.result) {
      const {winner, why} = message.result;
      end(`${winner === null ? 'drawn' : winner === message.you ? 'won' : 'lost'} - ${why}`, 0);
    } else if (message.awaited.includes(message.you)) {
      send({type: 'act', position: message.number, ...choose(message)});
    }
  },
};

const token = process.env.MASHUP_TOKEN; // of an account, if the bot has one: then it plays for its rating
socket.onopen = () => {
  send({type: 'hello', name, role: 'ai'});
  send(token ? {type: 'login', key: token} : {type: 'seek', game});
};
socket.onmessage = ({data}) => {
  const message = JSON.parse(data);
  handlers[message.type]?.(message);
};
socket.onerror = () => end('the server refused the connection', 1);
socket.onclose = ({reason}) => end(`the server closed the connection: ${reason || 'it was lost'}`, 1);
