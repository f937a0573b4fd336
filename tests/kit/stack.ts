/** A development stack in a process of its own, as `npm start` brings it up, on free ports and in a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild, type Child } from './child.ts'
import { freePort } from './ports.ts'

export type Variables = Readonly<Record<string, string>>

/** Variables for a stack that takes no port or folder of another. DATA_FOLDER is where its dev.json will be. */
export const stackVariables = async (dataFolder: string): Promise<Variables> => {
  const [api, cosigner, portal, connect, admin, example, chain] = await Promise.all(
    Array.from({ length: 7 }, () => freePort()),
  )
  return {
    DATA_FOLDER: dataFolder,
    API_LISTEN: String(api),
    COSIGNER_LISTEN: String(cosigner),
    PORTAL_LISTEN: String(portal),
    CONNECT_LISTEN: String(connect),
    ADMIN_LISTEN: String(admin),
    EXAMPLE_LISTEN: String(example),
    CHAIN_PORT: String(chain),
  }
}

/** Starts it and waits until it can work. */
export const startStack = async (variables: Variables): Promise<Child> => {
  const stack = startChild('adapters/development/main.ts', variables)
  // The last line: dev.json of an earlier start may be there already.
  await stack.until(/Stop with Ctrl-C/)
  return stack
}

/** `use` gets the variables by which the stack was started. */
export const withStack = async <A>(variables: Variables, use: (variables: Variables) => Promise<A>): Promise<A> => {
  // A folder with a blank in its name, which users may have.
  const dataFolder = await mkdtemp(join(tmpdir(), 'tandem stack '))
  const all = { ...(await stackVariables(dataFolder)), ...variables }
  const stack = await startStack(all)
  try {
    return await use(all)
  } finally {
    await stack.stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
}
