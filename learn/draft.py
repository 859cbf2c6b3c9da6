#!/usr/bin/env python3
"""draft.py -- learns how much each hero of Marvelous Mashup is worth in a team, from what learn play has written.

    learn/draft.py --data data.* [--keep TEAMS.npz | --out games/marvelous-mashup/draft_weights.h] [--seed 1]

In half of those matches teams are drawn by chance. The first position of each match has both teams; what is learned
is the odds that seat 0 wins: the sum over its heroes of a small net of their numbers, less the enemies'. --keep writes
only the teams, to be given as --data later. A fifth of the matches are held out.
"""
import argparse
import glob
import sys

ONE, WEIGHT, HIDDEN = 64, 256, 32
TEAM, FEATURES, SIDE, TABLE, HEAD = 6, 32, 16, 8, 12
SIZE = HEAD + 2 * (2 * TEAM * FEATURES + 2 * SIDE + TABLE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True, nargs="+")
    parser.add_argument("--keep")
    parser.add_argument("--out")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    import numpy
    import torch

    # --- Teams ----------------------------------------------------------------------------------------------------
    def teams(path):
        """Six numbers of each hero: health, melee and ranged damage, reach, moves, actions; and the results."""
        if path.endswith(".npz"):
            kept = numpy.load(path)
            return kept["teams"], kept["results"]
        raw = numpy.fromfile(path, dtype=numpy.uint8)[8 * 4 :]
        raw = raw[: len(raw) // SIZE * SIZE].reshape(-1, SIZE)
        match = raw[:, 0:4].copy().view("<u4")[:, 0]
        first = raw[numpy.r_[True, match[1:] != match[:-1]]]
        first = first[(first[:, 9] == TEAM) & (first[:, 10] == TEAM)]
        rows = first[:, HEAD:].copy().view("<i2").astype(float)[:, : 2 * TEAM * FEATURES]
        rows = rows.reshape(-1, 2, TEAM, FEATURES) / ONE
        numbers = [rows[..., 1] * 100 / rows[..., 16].clip(1 / ONE), rows[..., 17] * 20, rows[..., 18] * 20]
        numbers += [rows[..., 4] * 4, rows[..., 5] * 4, rows[..., 19] * 2]
        return numpy.stack(numbers, -1).round().astype(numpy.int16), first[:, 8].astype(numpy.float32) / 2

    found = [teams(path) for path in sorted(sum((glob.glob(name) for name in given.data), []))]
    drafted = numpy.concatenate([each[0] for each in found])
    results = numpy.concatenate([each[1] for each in found])
    print(f"{len(results)} matches, results {results.mean():.3f}", flush=True)
    if given.keep:
        numpy.savez_compressed(given.keep, teams=drafted, results=results)
        return 0

    # --- What a hero is worth -------------------------------------------------------------------------------------
    # As hero_numbers() in evaluate.c computes it, in units of 1/ONE.
    health, melee, ranged, reach, moves, actions = (drafted[..., i].astype(int) for i in range(6))
    health, melee, ranged = health.clip(max=300), melee.clip(max=200), ranged.clip(max=200)
    reach, moves, actions = reach.clip(max=10), moves.clip(max=8), actions.clip(max=4)
    most = numpy.maximum(melee, ranged)
    units = [(health, 100), (melee, 30), (ranged, 30), (reach, 5), (moves, 4), (actions, 2)]
    units += [(melee * actions, 60), (ranged * actions, 60), (most * actions, 60)]
    rows = numpy.stack([number * ONE // unit for number, unit in units], -1)
    x, y = torch.tensor(rows / ONE, dtype=torch.float32), torch.tensor(results)
    torch.manual_seed(given.seed)
    held = torch.rand(len(y)) < 0.2
    first, last = torch.nn.Linear(x.shape[-1], HIDDEN), torch.nn.Linear(HIDDEN, 1, bias=False)
    numbers = list(first.parameters()) + list(last.parameters())
    optimizer = torch.optim.AdamW(numbers, lr=5e-3, weight_decay=1e-3)
    loss_of = torch.nn.functional.binary_cross_entropy_with_logits

    def logit(rows, how=lambda number, unit: number):
        active = torch.relu(rows @ how(first.weight, WEIGHT).T + how(first.bias, WEIGHT * ONE))
        worth = (active @ how(last.weight, WEIGHT).T)[..., 0].sum(2)
        return worth[:, 0] - worth[:, 1]

    train, step = (~held).nonzero()[:, 0], 0
    steps = given.epochs * (len(train) // 512 + 1)
    for _ in range(given.epochs):
        for part in train[torch.randperm(len(train))].split(512):
            for group in optimizer.param_groups:
                group["lr"] = 5e-3 * (1 - step / steps)
            loss = loss_of(logit(x[part]), y[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
    with torch.no_grad():
        plain = float(loss_of(logit(x[held]), y[held]))
        rough = float(loss_of(logit(x[held], lambda number, unit: (number * unit).round() / unit), y[held]))
    print(f"held-out loss {plain:.4f}, rounded {rough:.4f}, without knowing anything 0.6931")

    # --- Writing --------------------------------------------------------------------------------------------------
    def listed(what, name, number, unit, kind):
        flat = (number.detach().double().numpy() * unit).round().astype(int).reshape(-1).tolist()
        lines, line = [f"/* {what} */", f"static const {kind} {name}[] = {{"], "   "
        for each in flat:
            if len(line) > 84:
                lines, line = lines + [line], "   "
            line += f" {each},"
        return "\n".join(lines + [line, "};"])

    if given.out:
        with open(given.out, "w") as file:
            file.write("/* draft_weights.h -- what heroes are worth in a draft, as learn/draft.py has learned it: see\n"
                       " * docs/strength.md. */\n/* clang-format off */\n#include <stdint.h>\n\n")
            file.write(listed("Of each hidden number: the weights of a hero's numbers,", "draft_first", first.weight, WEIGHT, "int16_t") + "\n")
            file.write(listed("where it begins,", "draft_base", first.bias, WEIGHT * ONE, "int32_t") + "\n")
            file.write(listed("and its weight in the sum.", "draft_last", last.weight[0], WEIGHT, "int16_t") + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
