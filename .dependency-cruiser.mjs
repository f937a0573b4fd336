// The walls of the house (CONTRIBUTING.md#rings-and-walls), as far as the compiler's project references do not keep them already, and no cycles.
const ring = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: to },
})

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A chunk that is loaded later may come back to what loads it.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
    },
    {
      name: 'no-cycles-in-react',
      comment: 'The dialog, which is loaded later, imports nothing that imports what loads it.',
      severity: 'error',
      from: { path: '^react/' },
      to: { circular: true },
    },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'only-named-dependencies',
      comment: 'What is imported stands in package.json; what is shipped stands in its dependencies.',
      severity: 'error',
      from: {
        path: '^(domain|adapters|react|wasm)/',
        pathNot: '/build\\.ts$|^react/pack/|vite|^adapters/browser/bridges/',
      },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev', 'undetermined'] },
    },
    {
      name: 'bridges-are-not-imported',
      comment: 'An app that uses none carries none. What a library is for stands in its own bridge.',
      severity: 'error',
      from: { path: '^(adapters|domain|generated|openapi|react|wasm)/', pathNot: '^adapters/browser/bridges/' },
      to: { path: '^adapters/browser/bridges/' },
    },
    {
      name: 'testing-is-not-imported',
      comment: 'It signs with plain keys.',
      severity: 'error',
      from: { path: '^(adapters|domain|generated|openapi|react|wasm)/', pathNot: '^adapters/browser/testing/' },
      to: { path: '^adapters/browser/testing/' },
    },
    ...['ethers', 'viem', 'wagmi'].map((library) => ({
      name: `only-its-bridge-knows-${library}`,
      comment: 'Each library is an optional peer. The service has viem of its own.',
      severity: 'error',
      from: { path: '^adapters/browser/', pathNot: `^adapters/browser/bridges/${library}\\.ts$` },
      to: { path: `^(node_modules/)?${library}(/|$)` },
    })),
    {
      name: 'bridges-know-only-their-library',
      severity: 'error',
      from: { path: '^adapters/browser/bridges/' },
      to: {
        pathNot: '^(node_modules/)?(ethers|viem|wagmi)(/|$)',
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev', 'undetermined'],
      },
    },
    ring('domain-knows-no-adapter', '^domain/', '^(adapters|react|openapi|wasm|tests)/'),
    ring('model-knows-no-flow', '^domain/model/', '^domain/(crypto|mpc|client|service)/'),
    ring('crypto-knows-no-protocol', '^domain/crypto/', '^domain/(mpc|client|service)/'),
    ring('mpc-knows-no-side', '^domain/mpc/', '^domain/(client|service)/'),
    ring('client-knows-no-service', '^domain/client/', '^domain/service/'),
    ring('service-knows-no-client', '^domain/service/', '^domain/client/'),
    ring('ports-know-no-flow', '^domain/(client|service)/ports/', '^(adapters|react)/'),
    ring(
      'browser-knows-no-service',
      '^(adapters/browser|react)/',
      '^(domain/service|adapters/(service|cli|development))/',
    ),
    ring(
      'service-knows-no-browser',
      '^adapters/service/',
      '^(domain/client|adapters/(browser|cli|development)|react)/',
    ),
    ring('command-knows-no-browser', '^adapters/cli/', '^(domain/client|adapters/(browser|development)|react)/'),
    ring('generated-knows-nothing', '^generated/', '^(domain|adapters|react|openapi|tests)/'),
    ring('kernel-knows-only-its-port', '^wasm/', '^(domain/(client|service)|adapters|react|openapi|tests)/'),
    ring('tests-are-not-imported', '^(?!tests/)', '^tests/'),
    ring('example-is-not-imported', '^(?!tests/|react/example/)', '^react/example/'),
    {
      name: 'domain-is-pure',
      comment: 'Time, randomness, network and storage come by ports.',
      severity: 'error',
      from: { path: '^domain/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'domain-of-the-browser-takes-types-of-the-contract',
      comment: 'The router table and the validators are the service’s.',
      severity: 'error',
      from: { path: '^domain/(model|crypto|mpc|client)/' },
      to: { path: '^generated/', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.tandem)/' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import', 'node', 'default'] },
  },
}
