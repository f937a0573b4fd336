/** A style sheet; of a CSS module the names of its classes, as the build made them. */
declare module '*.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}
