#!/usr/bin/env python3
"""train.py -- trains an evaluation net (base/table_net.h) on what learn play has written.

    learn/train.py --data data.* --base NET --out NET [--hidden 32] [--epochs 20] [--lambda 0.3,0.7] [--seed 1]

PyTorch is needed for this alone, neither to build nor to play. --base is any net of the game (learn random makes
one): the mark of the features is taken from it. What is learned is the odds that seat 0 wins: a mixture of the
match's result and of what search found, whose scale is fitted to the results first. Matches, not positions, are
held out. The rounded net is judged as it will be used, and written last.
"""
import argparse
import glob
import math
import sys
import time

ONE, WEIGHT = 64.0, 256.0
HEADER = 8 * 4
HEAD = 12  # bytes of a record before its features


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True, nargs="+")
    parser.add_argument("--base", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--from", dest="start", help="a net of the same sizes to go on from")
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--hidden2", type=int, default=0)
    parser.add_argument("--epochs", type=float, default=20)
    parser.add_argument("--seconds", type=float, default=0, help="no new epoch that would end later")
    parser.add_argument("--lambda", dest="mix", default="0.3,0.7")
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--middle", type=float, default=1, help="share of the moments in the middle of a turn to use")
    parser.add_argument("--most", type=int, default=12_000_000)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def read_net(path, numbers, sizes):
    """Puts the weights of a net into these parameters."""
    import numpy
    import torch

    with open(path, "rb") as file:
        raw = file.read()
    if tuple(raw[16:19]) != sizes:
        sys.exit(f"{path}: a net of other sizes")
    at = 24
    for parameter in numbers:
        wide = parameter.dim() == 1  # what a layer begins with has 32 bits
        kind, unit = ("<i4", WEIGHT * ONE) if wide else ("<i2", WEIGHT)
        values = numpy.frombuffer(raw, dtype=kind, count=parameter.numel(), offset=at).astype("f4") / unit
        at += parameter.numel() * (4 if wide else 2)
        outputs, into = (parameter.shape[0], parameter.shape[-1])
        if parameter.dim() == 2 and outputs > 1:  # blocks() below, the other way round
            values = values.reshape(outputs // 16, into // 2, 16, 2).transpose(0, 2, 1, 3)
        parameter.data.copy_(torch.from_numpy(values.reshape(parameter.shape).copy()))


def main():
    given = arguments()
    try:
        import numpy
        import torch
    except ImportError:
        print("train.py: no PyTorch here, so nothing is trained")
        return 3
    torch.manual_seed(given.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda":
        torch.set_float32_matmul_precision("high")
    began = time.time()

    # --- What was seen ------------------------------------------------------------------------------------------
    parts = []
    for path in sorted(sum((glob.glob(name) for name in given.data), [])):
        with open(path, "rb") as file:
            header = numpy.frombuffer(file.read(HEADER), dtype="<u4")
            version, units, features, side, table, size = (int(number) for number in header[:6])
            if version != 1 or size != HEAD + 2 * (2 * units * features + 2 * side + table):
                sys.exit(f"{path}: not what learn play writes")
            body = file.read()
            part = numpy.frombuffer(body[: len(body) // size * size], dtype=numpy.uint8).reshape(-1, size)
            if given.middle < 1:
                part = part[(part[:, 11] == 0) | (numpy.random.default_rng(given.seed).random(len(part)) < given.middle)]
            parts.append(part)
    raw = numpy.concatenate(parts)[-given.most :]
    match = torch.from_numpy(raw[:, 0:4].copy().view("<u4")[:, 0].astype(numpy.int64))
    value = torch.from_numpy(raw[:, 4:8].copy().view("<i4")[:, 0].astype(numpy.float32)).to(device)
    result = torch.from_numpy(raw[:, 8].astype(numpy.float32) / 2).to(device)
    held = (match % 32 == 0).to(device)
    middle = torch.from_numpy(raw[:, 11] != 0).to(device)
    x = torch.from_numpy(numpy.ascontiguousarray(raw[:, HEAD:]).view("<i2")).to(device)
    del raw, parts
    print(f"{len(x)} positions of {len(match.unique())} matches, {int(held.sum())} held out, "
          f"results {float(result.mean()):.3f}, {time.time() - began:.0f} s", flush=True)

    # --- How much a value is worth: the slope of the logit, by Newton's method ------------------------------------
    seen = value.clamp(-20000, 20000) / 1000
    slope = torch.tensor(1.0, device=device)
    for _ in range(30):
        chance = torch.sigmoid(slope * seen)
        slope = slope + ((result - chance) * seen).sum() / ((chance * (1 - chance) * seen * seen).sum() + 1e-3)
        slope = slope.clamp(0.01, 20)
    searched = torch.sigmoid(slope * seen)
    print(f"a logit is {1000 / float(slope):.0f} of search's value", flush=True)

    # Half of the positions that are decided teach nothing new.
    decided = (searched - 0.5).abs() > 0.47
    keep = ~(decided & (torch.rand(len(x), device=device) < 0.5)) & ~held
    train, test = keep.nonzero()[:, 0], (held & ~middle).nonzero()[:, 0]

    # --- The net ------------------------------------------------------------------------------------------------
    hidden, hidden2 = given.hidden, given.hidden2 or given.hidden
    inputs = 2 * (hidden + side) + table
    used = (x[:200000, : 2 * units * features].reshape(-1, features) != 0).any(0)
    count = int(used.nonzero().max()) + 1 if used.any() else 2
    count += count % 2

    def weights(outputs, into, spread):
        return torch.nn.Parameter((torch.rand(outputs, into, device=device) * 2 - 1) * spread)

    first, second = weights(hidden, count, 1.2 / math.sqrt(count)), weights(hidden2, inputs, 1.2 / math.sqrt(inputs))
    first_base = torch.nn.Parameter(torch.full((hidden,), 0.05, device=device))
    second_base = torch.nn.Parameter(torch.full((hidden2,), 0.05, device=device))
    last = weights(1, hidden2, 1.0 / math.sqrt(hidden2))
    numbers = [first, first_base, second, second_base, last]
    if given.start:
        read_net(given.start, numbers, (count, hidden, hidden2))

    def logit(rows, how=lambda number, unit: number):
        rows = rows.float() / ONE
        at = 2 * units * features
        unit = rows[:, :at].reshape(-1, 2, units, features)[..., :count]
        alive = (unit[..., :1] != 0).float()
        active = torch.relu(unit @ how(first, WEIGHT).T + how(first_base, WEIGHT * ONE)).clamp(max=4095 / ONE) * alive
        sides = torch.cat([active.sum(2), rows[:, at : at + 2 * side].reshape(-1, 2, side)], 2)
        rest = rows[:, at + 2 * side :]
        total = 0
        for own, sign in ((0, 1), (1, -1)):
            both = torch.cat([sides[:, own], sides[:, 1 - own], rest], 1)
            judged = torch.relu(both @ how(second, WEIGHT).T + how(second_base, WEIGHT * ONE)).clamp(max=511)
            total = total + sign * (judged @ how(last, WEIGHT).T)[:, 0]
        return total

    def rounded(number, unit):
        return (number * unit).round() / unit

    low, high = (float(part) for part in given.mix.split(","))
    loss_of = torch.nn.functional.binary_cross_entropy_with_logits
    optimizer = torch.optim.AdamW(numbers, lr=given.rate, weight_decay=1e-4)
    epoch_steps = max(1, len(train) // given.batch)
    steps, step, slowest = max(1, int(given.epochs * epoch_steps)), 0, 0.0

    def judge(how):
        with torch.no_grad():
            found = torch.cat([logit(x[part], how) for part in test.split(1 << 17)])
            mixed = (1 - high) * searched[test] + high * result[test]
            return float(loss_of(found, result[test])), float(loss_of(found, mixed))

    def target(rows, part):
        share = low + (high - low) * part
        return share * result[rows] + (1 - share) * searched[rows]

    deadline = began + given.seconds if given.seconds else None
    while step < steps:
        order = train[torch.randperm(len(train), device=device)]
        epoch_began = time.time()
        for rows in order.split(given.batch):
            if step >= steps:
                break
            part = step / steps
            if deadline:  # the clock says how far the training has come, where it has less time than epochs
                part = max(part, min(1.0, (time.time() - began) / given.seconds))
                if part >= 1:
                    step = steps
                    break
            for group in optimizer.param_groups:
                group["lr"] = given.rate * min(1, (step + 1) / 100) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * part)))
            loss = loss_of(logit(x[rows]), target(rows, part))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(numbers, 1.0)
            optimizer.step()
            with torch.no_grad():  # so that sums stay within 32 bits
                second.clamp_(-2.4, 2.4)
                last.clamp_(-3.9, 3.9)
            step += 1
        slowest = max(slowest, time.time() - epoch_began)
    plain, mixed = judge(lambda number, unit: number)
    rough, _ = judge(rounded)
    old = float(loss_of(torch.logit(searched[test].clamp(1e-5, 1 - 1e-5)), result[test]))
    print(f"{step} steps in {time.time() - began:.0f} s (an epoch {slowest:.1f} s): held-out loss to the result "
          f"{plain:.4f}, rounded {rough:.4f}, to the mixture {mixed:.4f}; search's own value {old:.4f}", flush=True)

    # --- Writing ------------------------------------------------------------------------------------------------
    def integers(number, unit, kind):
        limits = numpy.iinfo(kind)
        return (number.detach().double().cpu().numpy() * unit).round().clip(limits.min + 1, limits.max).astype(kind)

    def blocks(matrix):
        """Sixteen outputs at a time, and in a block the two weights of each output for each pair of inputs."""
        outputs, into = matrix.shape
        return matrix.reshape(outputs // 16, 16, into // 2, 2).transpose(0, 2, 1, 3).copy()

    with open(given.base, "rb") as file:
        mark = file.read(16)
    with open(given.out, "wb") as file:
        file.write(mark + bytes([count, hidden, hidden2, 0, 0, 0, 0, 0]))
        file.write(blocks(integers(first, WEIGHT, "<i2")).tobytes())
        file.write(integers(first_base, WEIGHT * ONE, "<i4").tobytes())
        file.write(blocks(integers(second, WEIGHT, "<i2")).tobytes())
        file.write(integers(second_base, WEIGHT * ONE, "<i4").tobytes())
        file.write(integers(last[0], WEIGHT, "<i2").tobytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
