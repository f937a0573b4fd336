/** The name that bundlers of apps have replaced by a text; Node has it in its environment. */
declare const process: { readonly env: { readonly NODE_ENV?: string } }

/** 'production' also where nothing says it: in a page that no bundler has built. */
export const modeOfBuild = (): string | undefined => {
  try {
    return process.env.NODE_ENV
  } catch {
    return 'production'
  }
}
