/** Login with Farcaster: polled every 2 s until its state is 'completed'. */
export const completedState = 'completed'

export type Status = {
  readonly state: string
  readonly userId?: string | null
  readonly userExists?: boolean | null
  readonly username?: string | null
  readonly pfpUrl?: string | null
}

export type Completed = {
  readonly userId: string
  readonly userExists: boolean
  readonly username: string
  readonly pfpUrl?: string
}

/** What the login found, once it is completed. */
export const completed = ({ state, userId, userExists, username, pfpUrl }: Status): Completed | undefined =>
  state === completedState && userId && username
    ? { userId, userExists: userExists === true, username, ...(pfpUrl ? { pfpUrl } : {}) }
    : undefined
