// bot.mjs -- a whole player in JavaScript: node examples/bot.mjs ws://localhost:1218 zorde [NAME]
// Seeks a quick match, makes any legal move, says how it ended. Make choose() clever to make it yours. Node 22 has WebSocket built
// in; older ones take it from the package `ws`. In a page the same lines work without an import.
const Socket = globalThis.WebSocket ?? (await import('ws')).WebSocket;
const [url, game, name = 'JavaScript'] = process.argv.slice(2);
const socket = new Socket(new URL('/arena', url).href);
const say = message => socket.send(JSON.stringify(message));
const any = list => list[Math.floor(Math.random() * list.length)];

/** All you may do is in `actions`, all there is to see in `board`. */
function choose(position) {
  const {verb, unit, ability, cells} = any(position.actions);
  const [x, y, other = 0, amount = 0] = any(cells);
  return {verb, unit, ability, x, y, other, amount};
}

function end(sentence, code) {
  console.log(sentence);
  process.exitCode = code;
  socket.close();
}

const heard = {
  refused: told => told.code !== 'late' && end(`refused: ${told.reason}`, 1),
  closed: told => end(`the table is gone: ${told.reason}`, 1),
  position(told) {
    if (told.result) {
      const {winner, why} = told.result;
      end(`${winner === null ? 'drawn' : winner === told.you ? 'won' : 'lost'} - ${why}`, 0);
    } else if (told.awaited.includes(told.you)) {
      say({type: 'act', position: told.number, ...choose(told)});
    }
  },
};

socket.onopen = () => {
  say({type: 'hello', name, role: 'ai'});
  say({type: 'seek', game});
};
socket.onmessage = ({data}) => {
  const told = JSON.parse(data);
  heard[told.type]?.(told);
};
socket.onerror = () => end('the server refused the connection', 1);
