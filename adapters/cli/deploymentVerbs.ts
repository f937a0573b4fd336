import { Option } from 'commander'
import { environments } from '../../domain/model/Environment.ts'
import type { Verb } from './Verb.ts'

export const deploymentVerbs: readonly Verb[] = [
  {
    name: 'init',
    takes: ['FOLDER'],
    says: 'a new deployment’s two key rings and a commented file of its settings; overwrites nothing',
    options: () => [
      new Option('--environment <ENVIRONMENT>', 'what it is for').choices(environments).makeOptionMandatory(),
    ],
    makesSettings: true,
    run: async (call) => (await import('./init.ts')).init(call),
  },
  {
    name: 'start',
    takes: [],
    says: 'the service, until it is stopped',
    options: () => [new Option('--role <ROLE...>', 'roles of this process; all of them without it')],
    run: async (call) => (await import('./start.ts')).start(call),
  },
  {
    name: 'status',
    takes: [],
    says: 'whether the process at the admin listener is ready, what of it is not, and which key of the co-signer signs',
    run: async (call) => (await import('./status.ts')).status(call),
  },
  {
    name: 'migrate',
    takes: [],
    says: 'brings the database’s schema to this version',
    options: () => [new Option('--plan', 'only says which migrations would run')],
    changes: true,
    run: async (call) => (await import('./migrate.ts')).migrate(call),
  },
  {
    name: 'doctor',
    takes: [],
    says: 'what is wrong with the deployment, and how it is mended; changes nothing',
    run: async (call) => (await import('./doctor.ts')).doctor(call),
  },
]
