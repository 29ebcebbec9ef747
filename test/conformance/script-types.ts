import ts from 'typescript-api'

/** The type checker's errors in a browser script, which is plain JavaScript with types in its comments. */
export function mistakesIn(script: string): string[] {
  const program = ts.createProgram([script], {
    allowJs: true,
    checkJs: true,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    noEmit: true,
    skipLibCheck: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  })
  return program
    .getSemanticDiagnostics(program.getSourceFile(script))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}
