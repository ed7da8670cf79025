import { expect, test } from 'vitest';
import { importsOf } from '../../scripts/lib/imports-of.ts';

const namedIn = (file: string, text: string) => importsOf(file, text).map(({ specifier }) => specifier);

test.each([
  ['what is required at once', `const a = require("./a.cjs");`, ['./a.cjs']],
  [
    'what is required at its first use',
    `const load = () => Promise.resolve().then(() => /* @__PURE__ */ wrap(require('./chunks/b.cjs').default, 1));`,
    ['./chunks/b.cjs'],
  ],
  ['a computed name', 'require(name);', [null]],
  ['words in a comment', `// require('./c.cjs')\nother("./d.cjs");`, []],
])('the imports of a CommonJS file are found: %s', (_of, text, named) => {
  expect(namedIn('bundle.cjs', text)).toEqual(named);
});

test('the imports of a TypeScript file include re-exports, import() and types, and no require()', () => {
  const text = `
    import a from './a.ts';
    export { b } from './b.ts';
    const c = import('./c.ts');
    let d: import('./d.ts').D;
    require('./e.ts');`;
  expect(namedIn('file.ts', text).toSorted()).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts']);
});
