import type { Verb } from './Verb.ts'

export const configVerbs: readonly Verb[] = [
  {
    name: 'config print',
    takes: [],
    says: 'each setting as it counts here and where it is from; no secret',
    run: async (call) => (await import('./config.ts')).print(call),
  },
  {
    name: 'config schema',
    takes: [],
    says: 'the settings as a JSON Schema, for editors',
    run: async () => (await import('./config.ts')).schema(),
  },
  {
    name: 'config docs',
    takes: [],
    says: 'what each setting means, as a page in Markdown',
    run: async () => (await import('./config.ts')).docs(),
  },
]
