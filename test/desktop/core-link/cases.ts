import assert from 'node:assert/strict';
import type { CoreProcess } from '#electron/core-link/core-process.ts';
import type { EchoInput, EchoReport } from './echo-core.ts';

/** Starts the file as a core would be started; by default the echo core. */
export type Start = (file?: string) => CoreProcess;

/**
 * Guarantees of both kinds of core processes, run inside the real Electron. A case fails by throwing. Exit codes are not
 * tested, because Electron reports 0 if the link broke before it had asked for the code.
 */
export const coreLinkCases: Record<string, (start: Start) => Promise<void>> = {
  async 'what is said before the process has loaded is answered in its order'(start) {
    await withCore(start, async (core) => {
      for (const value of [1, 2, 3]) core.ask({ do: 'echo', value });
      assert.deepEqual([await core.answer(), await core.answer(), await core.answer()], [1, 2, 3]);
    });
  },

  async 'JSON arrives as it was sent, hostile text included'(start) {
    const value = {
      list: [0, -1.5, 1e21, null, true],
      text: '\u202e\u0000"\\<b>\u{1F600}',
      nested: { a: {} },
    };
    await withCore(start, async (core) => {
      core.ask({ do: 'echo', value });
      assert.deepEqual(await core.answer(), value);
    });
  },

  async 'messages of 5 MB pass in both directions'(start) {
    const characters = 5_000_000;
    await withCore(start, async (core) => {
      core.ask({ do: 'echo', value: 'y'.repeat(characters) });
      core.ask({ do: 'fill', characters });
      assert.equal(await core.answer(), 'y'.repeat(characters));
      assert.equal(await core.answer(), 'x'.repeat(characters));
    });
  },

  async 'what is no message arrives as what it is'(start) {
    await withCore(start, async (core) => {
      for (const message of ['text', 7, [1], { kind: 'decide' }]) {
        core.ask({ do: 'babble', message });
        assert.deepEqual(await core.message(), message);
      }
    });
  },

  async 'the end is told once'(start) {
    await withCore(start, async (core) => {
      core.ask({ do: 'exit', code: 7 });
      await core.ended;
      await anotherProcess(start);
      assert.equal(core.ends(), 1);
    });
  },

  async 'the last words arrive before the end'(start) {
    await withCore(start, async (core) => {
      core.ask({ do: 'last-words', count: 200, characters: 20_000, code: 1 });
      await core.ended;
      assert.equal(core.untaken(), 200);
    });
  },

  async 'a bug ends it'(start) {
    await withCore(start, async (core) => {
      core.ask({ do: 'throw' });
      await core.ended;
    });
  },

  async 'a violent end is told'(start) {
    await withCore(start, async (core) => {
      core.ask({ do: 'kill-itself' });
      await core.ended;
    });
  },

  async 'a process that hangs is ended at once'(start) {
    await withCore(start, async (core) => {
      core.ask({ do: 'hang' });
      assert.equal(await core.answer(), 'hanging');
      core.process.kill();
      await core.ended;
    });
  },

  async 'a process that has hardly begun is ended as well'(start) {
    await withCore(start, async (core) => {
      core.process.kill();
      await core.ended;
    });
  },

  async 'asked to quit, it may finish what it does'(start) {
    await withCore(start, async (core) => {
      core.ask({ do: 'echo', value: 'here' });
      await core.answer();
      core.process.send({ kind: 'quit' });
      assert.equal(await core.message(), 'finished');
      await core.ended;
    });
  },

  async 'what is said to a process that has ended, or is ended again, has no effect'(start) {
    await withCore(start, async (core) => {
      core.ask({ do: 'exit', code: 0 });
      await core.ended;
      core.ask({ do: 'echo', value: 1 });
      core.process.send({ kind: 'quit' });
      core.process.kill();
      await anotherProcess(start);
      assert.equal(core.untaken(), 0);
    });
  },

  async 'it has no arguments, and nothing of the environment that it does not need'(start) {
    process.env.NODE_OPTIONS = '--no-deprecation';
    process.env.COUNTERSIGN_PLANTED = 'secret';
    try {
      await withCore(start, async (core) => {
        core.ask({ do: 'report' });
        const { args, execArgv, environment } = (await core.answer()) as EchoReport;
        assert.deepEqual(args, []);
        assert.deepEqual(execArgv, []);
        assert.ok(environment.includes('HOME'));
        const steering = /^(?:NODE|ELECTRON|LD|COUNTERSIGN)_/;
        assert.deepEqual(
          environment.filter((name) => steering.test(name)),
          [],
        );
      });
    } finally {
      delete process.env.NODE_OPTIONS;
      delete process.env.COUNTERSIGN_PLANTED;
    }
  },

  async 'a file that is not there ends the process and throws nowhere'(start) {
    await withCore(
      () => start('/nowhere/core.js'),
      async (core) => {
        core.ask({ do: 'echo', value: 1 });
        await core.ended;
      },
    );
  },
};

interface Core {
  process: CoreProcess;
  ask(input: EchoInput): void;
  message(): Promise<unknown>;
  /** Resolves with the output of the next message, which must be an answer. */
  answer(): Promise<unknown>;
  untaken(): number;
  ended: Promise<number | null>;
  ends(): number;
}

async function withCore(start: Start, run: (core: Core) => Promise<void>): Promise<void> {
  const core = openCore(start());
  try {
    await run(core);
  } finally {
    core.process.kill();
    await core.ended;
  }
}

function openCore(process: CoreProcess): Core {
  const messages: unknown[] = [];
  const takers: ((message: unknown) => void)[] = [];
  let ends = 0;
  let lastId = 0;
  process.onMessage((message) => {
    const taker = takers.shift();
    if (taker === undefined) messages.push(message);
    else taker(message);
  });
  const ended = new Promise<number | null>((resolve) => {
    process.onExit((code) => {
      ends += 1;
      resolve(code);
    });
  });
  const message = (): Promise<unknown> =>
    messages.length > 0
      ? Promise.resolve(messages.shift())
      : new Promise((resolve) => void takers.push(resolve));
  return {
    process,
    ask: (input) => process.send({ kind: 'ask', id: (lastId += 1), surface: 'app', name: 'echo', input }),
    message,
    async answer() {
      return ((await message()) as { output: unknown }).output;
    },
    untaken: () => messages.length,
    ended,
    ends: () => ends,
  };
}

/**
 * Starts another process and waits for its end. A repeated end event or a late failure of an earlier process would arrive
 * before that.
 */
function anotherProcess(start: Start): Promise<void> {
  return withCore(start, async (core) => {
    core.ask({ do: 'exit', code: 0 });
    await core.ended;
  });
}
