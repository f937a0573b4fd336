/** The two parts of a run's generation: the generation of the database, and the boot of the process. */
export const generationParts = (generation: string): { readonly database: string; readonly boot: string } => {
  const [database = '', boot = ''] = generation.split('.')
  return { database, boot }
}
