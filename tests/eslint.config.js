// The rules of the house that a compiler does not keep: typescript-eslint's strictest set, and where imports may come from.
import hooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

/** Effect from its modules: the barrel costs every bundle 24 kB and more. */
const imports = {
  paths: [{ name: 'effect', message: "Import from the module: import * as Effect from 'effect/Effect'." }],
}

/** Forms that the package's Effect (react/pack/packagedEffect.ts) does not have: the compiler checks the code against Effect's own. */
const inEffect = "CallExpression[callee.object.name='Effect']"
const unnamed = "[arguments.0.type!='Literal']"
const otherForms = [
  {
    selector:
      "ImportDeclaration[source.value='effect/Effect'] > :matches(ImportSpecifier, [local.name!='Effect'][local])",
    message: "Import the module by its name: import * as Effect from 'effect/Effect'.",
  },
  {
    selector: `${inEffect}[callee.property.name=/^(fn|withSpan)$/]${unnamed}`,
    message: "The package has Effect.fn('name') and, in a pipe, Effect.withSpan('name') alone.",
  },
  {
    selector: `${inEffect}[callee.property.name=/^ignore(Cause)?$/]:matches([arguments.length!=1], [arguments.0.type='ObjectExpression'])`,
    message: 'Effect.ignore and Effect.ignoreCause have no options in the package.',
  },
]

/** The clock and the chance that the language itself has, which no library setting of the compiler takes away. */
const time = 'The time comes by effect/Clock, so that tests and the simulation set it.'
const impureProperties = [
  { object: 'Date', property: 'now', message: time },
  { object: 'performance', property: 'now', message: time },
  { object: 'Math', property: 'random', message: 'Randomness comes by a port.' },
]
const impureForms = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: time },
  { selector: "CallExpression[callee.name='Date']", message: time },
]

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', 'generated/', '.tandem/', 'wasm/assembly/'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: `${import.meta.dirname}/..` } },
    rules: {
      'no-restricted-imports': ['error', imports],
      'no-console': 'error',
      eqeqeq: 'error',
      // `yield* new NotFound()` inside a ternary and errors of Effect are values, not exceptions of another kind.
      '@typescript-eslint/only-throw-error': 'off',
      // Numbers in sentences, addresses and keys are what templates are for.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `() => resolve()`, and `return done()` to leave early, say what they mean.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // An effect or a promise that says nothing is one of void: Effect.callback<void>.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // `const { secret: _, ...rest }` leaves something out; `(_, b)` comes to the second argument.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // Texts are walked by code point where they are walked at all.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // The walls of the design use type aliases; interfaces stand where declarations have to merge (database tables).
      '@typescript-eslint/consistent-type-definitions': 'off',
    },
  },
  { files: ['react/**'], ...hooks.configs.flat.recommended },
  {
    files: ['adapters/browser/**', 'domain/**', 'react/**'],
    rules: { 'no-restricted-syntax': ['error', ...otherForms] },
  },
  {
    files: ['domain/**'],
    rules: {
      'no-restricted-properties': ['error', ...impureProperties],
      'no-restricted-syntax': ['error', ...otherForms, ...impureForms],
    },
  },
  {
    // A longer file has several jobs.
    files: ['adapters/**', 'domain/**', 'openapi/**', 'react/**'],
    rules: { 'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }] },
  },
  {
    // What is run by people talks to them, and so does what helps developers of apps.
    files: [
      'adapters/*/main.ts',
      'adapters/browser/originFix.ts',
      'adapters/browser/sdk.ts',
      'adapters/service/stopOnSignal.ts',
      'openapi/*.ts',
      'react/build.ts',
      'react/pack/main.ts',
      'react/pack/create.ts',
      'react/pack/packagedEffect.ts',
      'wasm/build.ts',
      'tests/*.ts',
      'tests/bench/**',
      'tests/simulation/main.ts',
      'tests/smoke/**',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    // Answers of a service under test have no types yet; assertions look inside them.
    files: ['tests/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      // A stand-in for something that promises need not wait for anything.
      '@typescript-eslint/require-await': 'off',
    },
  },
)
