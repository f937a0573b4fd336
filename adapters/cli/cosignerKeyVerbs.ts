import { Option } from 'commander'
import type { Verb } from './Verb.ts'

export const cosignerKeyVerbs: readonly Verb[] = [
  {
    name: 'cosigner-key status',
    takes: [],
    says: 'the keys that sign the co-signer’s answers, now and before',
    run: async ({ variables }) => (await import('./cosignerKey.ts')).statusOfCosignerKeys(variables),
  },
  {
    name: 'cosigner-key rotate',
    takes: [],
    says: 'makes the next key, which devices accept because the one before signs it',
    options: () => [
      new Option('--compromised', 'another may have used the key that signs now: every device enrols anew'),
    ],
    changes: true,
    run: async (call) => (await import('./cosignerKey.ts')).rotateKeyOfCosigner(call, call.flag('compromised')),
  },
  {
    name: 'cosigner-key retire',
    takes: ['KEY'],
    says: 'forgets the secret half of a key that was replaced',
    changes: true,
    asks: ([key = '']) => `key ${key} signs nothing any more, also no other successor.`,
    run: async (call) => (await import('./cosignerKey.ts')).retireKeyOfCosigner(call, call.given[0] ?? ''),
  },
]
