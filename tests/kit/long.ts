/**
 * What `npm run test:long` adds to `npm test`: numbers, not kinds (tests/README.md). tests/main.ts says which of the two
 * this is by TANDEM_TESTS.
 */
export const isLong = process.env['TANDEM_TESTS'] === 'long'

/** How often something is tried: as often as every change can afford, or as often as it takes to be sure. */
export const times = (usual: number, long: number): number => (isLong ? long : usual)

/** The cases that say most, or all of them. */
export const casesOf = <A>(all: readonly A[], usual: (one: A) => boolean): readonly A[] =>
  isLong ? all : all.filter(usual)
