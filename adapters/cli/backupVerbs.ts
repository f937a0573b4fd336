import { Option } from 'commander'
import type { Verb } from './Verb.ts'

const identity = () =>
  new Option('--identity <FILE>', 'the key that opens it, as tandem backup-key made it').makeOptionMandatory()

export const backupVerbs: readonly Verb[] = [
  {
    name: 'backup-key',
    takes: ['FILE'],
    says: 'a key that opens backups; overwrites nothing',
    run: async (call) => (await import('./backup.ts')).makeBackupKey(call),
  },
  {
    name: 'backup',
    takes: ['FILE'],
    says: 'a copy of the database and then of the co-signers’ marks, encrypted; overwrites nothing',
    options: () => [
      new Option('--recipient <RECIPIENT...>', 'for whom it is encrypted, as age1…').makeOptionMandatory(),
    ],
    run: async (call) => (await import('./backup.ts')).backup(call),
  },
  {
    name: 'verify backup',
    takes: ['FILE'],
    says: 'whether it opens, is whole and fits the schema; in memory',
    options: () => [identity()],
    run: async (call) => (await import('./backup.ts')).verify(call),
  },
  {
    name: 'restore',
    takes: ['FILE'],
    says: 'into an empty database, before any co-signer starts on it',
    options: () => [
      identity(),
      new Option(
        '--fence',
        'ends what was under way; goes on with the marks of the backup, and of what is left of the co-signers’ folder',
      ),
    ],
    changes: true,
    asks: ([file = '']) => `${file} becomes the deployment, and what happened since it was made is gone.`,
    run: async (call) => (await import('./backup.ts')).restore(call),
  },
]
