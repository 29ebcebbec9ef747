declare module 'saxon-js' {
  const saxon: {
    /** Runs a compiled stylesheet, which a caller may parse once. @returns what it writes */
    transform(options: { stylesheetInternal: object; sourceText: string; destination: 'serialized' }): {
      principalResult: string
    }
  }
  export default saxon
}
