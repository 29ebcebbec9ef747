import ts from 'typescript-api'

/** TypeScript types as JSON Schema (2020-12), read by the type checker, to validate data against a published type. */

type JsonSchema = { [keyword: string]: unknown }

export type SchemaBook = {
  $defs: Record<string, JsonSchema>
  /** By the exported type's name in the source. */
  roots: Record<string, JsonSchema>
}

const NOTHING: JsonSchema = { not: {} }

/**
 * Every type that `source` exports, as a schema. Objects are closed: a name that the type lacks is a mistake, and so is an
 * unlisted value of an enumeration that the type keeps open for the future.
 * @param source text of a module
 * @param at the module's assumed path, from which its imports are resolved
 * @param keeps whether a resource (an object whose `object` is a literal) is included; others match nothing, which keeps the result small
 * @throws Error when the source does not compile: a published type was removed
 */
export function schemaBookOf(source: string, at: string, keeps: (resource: string) => boolean): SchemaBook {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    lib: ['lib.es2022.d.ts'],
    types: ['node'],
  }
  const host = ts.createCompilerHost(options)
  const onDisk = ts.createCompilerHost(options)
  const isOurs = (name: string) => name === at
  host.fileExists = (name) => isOurs(name) || onDisk.fileExists(name)
  host.getSourceFile = (name, version, ...rest) =>
    isOurs(name) ? ts.createSourceFile(name, source, version) : onDisk.getSourceFile(name, version, ...rest)
  const program = ts.createProgram([at], options, host)
  const file = program.getSourceFile(at)
  const mistakes = program
    .getSemanticDiagnostics(file)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
  if (!file || mistakes.length > 0) throw new Error(`The types have changed: ${mistakes.join('; ')}`)
  return readBook(program.getTypeChecker(), file, keeps)
}

function readBook(checker: ts.TypeChecker, file: ts.SourceFile, keeps: (resource: string) => boolean): SchemaBook {
  const $defs: Record<string, JsonSchema> = {}
  const names = new Map<ts.Type, string>()
  const module = checker.getSymbolAtLocation(file)
  if (!module) throw new Error('The source is no module.')
  const roots = Object.fromEntries(
    checker
      .getExportsOfModule(module)
      .map((symbol) => [symbol.name, schemaOf(checker.getDeclaredTypeOfSymbol(symbol)) ?? NOTHING]),
  )
  return { $defs, roots }

  /** @returns undefined for a type without data, such as a missing value */
  function schemaOf(type: ts.Type): JsonSchema | undefined {
    const { flags } = type
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {}
    if (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return undefined
    if (flags & ts.TypeFlags.Never) return NOTHING
    if (flags & ts.TypeFlags.Null) return { type: 'null' }
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
    if (flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' }
    if (flags & ts.TypeFlags.String) return { type: 'string' }
    if (flags & ts.TypeFlags.Number) return { type: 'number' }
    if (type.isUnion()) return unionOf(type)
    if (isOpenString(type)) return { type: 'string' }
    if (checker.isArrayType(type))
      return { type: 'array', items: schemaOf(checker.getTypeArguments(type as ts.TypeReference)[0] ?? type) ?? {} }
    if (type.getCallSignatures().length > 0) return undefined
    return objectOf(type)
  }

  /** `OtherString` keeps an enumeration open at compile time; the simulator must use only listed values. */
  function unionOf(type: ts.UnionType): JsonSchema | undefined {
    const isEnumeration = type.types.some((part) => part.isStringLiteral())
    const parts = type.types.filter((part) => !(isEnumeration && isOpenString(part)))
    const schemas = parts.flatMap((part): JsonSchema[] => {
      const schema = schemaOf(part)
      return schema === undefined || schema === NOTHING ? [] : [schema]
    })
    const constants = schemas.filter((schema) => 'const' in schema).map((schema) => schema['const'])
    const others = schemas.filter((schema) => !('const' in schema))
    // Expressed as a type, so a validator that reads text accepts `true`.
    const isBoolean = constants.length === 2 && constants.every((constant) => typeof constant === 'boolean')
    const listed = isBoolean ? [{ type: 'boolean' }] : constants.length > 0 ? [{ enum: constants }] : []
    const all = [...listed, ...others]
    if (all.length === 0) return parts.length > 0 ? NOTHING : undefined
    return all.length === 1 ? all[0] : { anyOf: all }
  }

  function objectOf(type: ts.Type): JsonSchema {
    const resource = resourceName(type)
    if (resource !== undefined && !keeps(resource)) return NOTHING
    const known = names.get(type)
    if (known !== undefined) return { $ref: `#/$defs/${known}` }
    const name = `d${names.size}`
    names.set(type, name)
    const fields = checker.getPropertiesOfType(type).flatMap((symbol) => {
      const schema = schemaOf(checker.getTypeOfSymbol(symbol))
      return schema ? [{ name: symbol.name, schema, isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0 }] : []
    })
    const index = checker.getIndexTypeOfType(type, ts.IndexKind.String)
    $defs[name] = {
      title: checker.typeToString(type),
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field.name, field.schema])),
      required: fields.filter((field) => !field.isOptional && field.schema !== NOTHING).map((field) => field.name),
      additionalProperties: index ? (schemaOf(index) ?? false) : false,
    }
    return { $ref: `#/$defs/${name}` }
  }

  function resourceName(type: ts.Type): string | undefined {
    const symbol = checker.getPropertyOfType(type, 'object')
    const literal = symbol && checker.getTypeOfSymbol(symbol)
    return literal?.isStringLiteral() ? literal.value : undefined
  }
}

const isOpenString = (type: ts.Type): boolean =>
  type.isIntersection() && type.types.some(({ flags }) => (flags & ts.TypeFlags.String) !== 0)
