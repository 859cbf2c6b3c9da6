// archive.mjs -- scenarios of an archive that is big, or asked for too much.
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {TestServer, demand, folder, match} from './server.mjs';

const filler = process.env.BENCH_ARCHIVE ?? 'build/release/bench_archive';

/** Times in ms as words. */
const spread = times => {
  const sorted = [...times].sort((a, b) => a - b);
  return `${sorted[sorted.length >> 1].toFixed(0)} ms (half), ${sorted.at(-1).toFixed(0)} ms (worst)`;
};

/** Twenty ask the archive as fast as they can for what takes longest to find; a match beside them goes on as if they were not there. */
async function archiveFlood(short) {
  if (!existsSync(filler)) return `left out: ${filler} is not built`;
  const data = join(folder(), 'data'), actions = short ? 15 : 60;
  const filled = spawnSync(filler, [data, short ? '60000' : '300000'], {encoding: 'utf8'});
  demand(filled.status === 0, filled.stderr);
  const server = await new TestServer(data, ['--no-rates']).open();
  const act = async (game, count) => {
    const times = [];
    for (let i = 0; i < count && !game.over(); i++) times.push(await game.act());
    return times;
  };
  const quiet = await act(await match(server), actions);
  const game = await match(server), before = server.cpu(), began = performance.now(), answers = {};
  let stop = false;
  const ask = async () => {
    while (!stop) {
      const answer = await fetch(`http://127.0.0.1:${server.port}/api/archive?player=X&game=nope`).catch(() => null);
      if (answer === null) { answers.none = (answers.none ?? 0) + 1; continue; }
      const told = answer.status === 200 ? (await answer.json()).matches.length : (await answer.text(), answer.headers.get('retry-after'));
      demand(answer.status === 200 ? told === 0 : answer.status === 503 && Number(told) > 0, `an answer of ${answer.status}: ${told}`);
      answers[answer.status] = (answers[answer.status] ?? 0) + 1;
      if (answer.status === 503) await new Promise(resolve => setTimeout(resolve, 20));
    }
  };
  const strangers = Array.from({length: 20}, ask);
  const loud = await act(game, actions);
  const seconds = (performance.now() - began) / 1000, cpu = server.cpu() - before;
  stop = true;
  await Promise.all(strangers);
  const {loop_longest_turn_cpu_microseconds: longest} = await server.figures();
  await server.close();
  const told = `actions alone ${spread(quiet)}, beside 20 who ask ${spread(loud)}; the server took ${(cpu / seconds * 100).toFixed(0)} % of a core; ` +
    `answers ${JSON.stringify(answers)} in ${seconds.toFixed(1)} s; most work of one turn ${(longest / 1000).toFixed(1)} ms`;
  demand(longest < 50000 && !answers.none, told);
  return told;
}

export const scenarios = {'archive-flood': archiveFlood};
