# gym.py -- the simulator as an environment for learning: reset() and step() as in Gymnasium, legal_actions() and returns() as in OpenSpiel.
# python3 examples/gym.py [GAME] plays level 1 against random actions.
import os, random, sys
sys.path[:0] = [os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "sim"), "/usr/share/mashup", "/usr/local/share/mashup"]
import mashup

class Environment:
    def __init__(self, table):
        self.start = mashup.begin(table)

    def reset(self, seed=0):
        self.sim = self.start.clone()
        self.sim.guess(seed)  # chance of this match
        return self.observation()

    def observation(self):  # what the seat to move may know, as bytes; sim.position(seat) is the same in words
        return None if self.sim.turn() is None else self.sim.bytes(self.sim.turn())

    def legal_actions(self):
        return [] if self.sim.turn() is None else self.sim.actions(self.sim.turn())

    def returns(self):  # for seat 0 and seat 1
        return {0: (1, -1), 1: (-1, 1)}.get(self.sim.result(), (0, 0))

    def step(self, action):  # observation, rewards of both seats, is it over?
        self.sim.apply(action)
        return self.observation(), self.returns(), self.sim.result() is not None

if __name__ == "__main__":
    environment, over, steps = Environment({"game": sys.argv[1] if len(sys.argv) > 1 else "zorde"}), False, 0
    environment.reset(seed=7)
    while not over:
        seat = environment.sim.turn()
        action = environment.sim.think(seat, 1, steps) if seat == 0 else random.choice(environment.legal_actions())
        observation, rewards, over = environment.step(action)
        steps += 1
    print(f"{steps} steps, rewards {rewards}")
