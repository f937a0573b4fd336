import type { Verb } from './Verb.ts'

export const usersVerbs: readonly Verb[] = [
  {
    name: 'users show',
    takes: ['USER'],
    says: 'a user by the whole id or e-mail address: masked identity, sessions, wallets',
    run: async (call) => (await import('./users.ts')).show(call),
  },
  {
    name: 'users end-sessions',
    takes: ['USER'],
    says: 'signs a user out on every device, and ends what is under way there',
    changes: true,
    run: async (call) => (await import('./users.ts')).end(call),
  },
  {
    name: 'users freeze',
    takes: ['USER'],
    says: 'signs a user out and keeps it out; nothing is signed for it',
    changes: true,
    run: async (call) => (await import('./users.ts')).freeze(call),
  },
  {
    name: 'users unfreeze',
    takes: ['USER'],
    says: 'ends a freeze',
    changes: true,
    run: async (call) => (await import('./users.ts')).unfreeze(call),
  },
  {
    name: 'users delete',
    takes: ['USER'],
    says: 'deletes a user, with the wallets and the provider’s shares of them',
    changes: true,
    asks: ([user]) => `user ${user} and all wallets are gone for good, unless a key was exported.`,
    run: async (call) => (await import('./users.ts')).remove(call),
  },
]
