import { isFields, type Json } from '../../test/conformance/json.ts'
import { codesOf, valueIn, type Exchange } from '../../test/conformance/walks/walk.ts'

/** What a field is, over all rows of its lists. */
type Shape = { kinds: Set<string>; fields: Map<string, Shape>; items: Shape | undefined }

/** Their fields are data. */
const MAPS = /^(?:metadata|evidence|values|placements)$/

/** The same step with the provider and with its simulator, a sentence per difference. */
export function compareAnswers(theirs: readonly Exchange[], ours: readonly Exchange[]): string[] {
  const known = Map.groupBy(ours, ({ step }) => step)
  const differences = theirs.flatMap((their) => {
    const our = known.get(their.step)?.shift()
    if (!our) return [`${their.step}: the simulator was not asked for this`]
    return compareAnswer(their, our).map((difference) => `${their.step}: ${difference}`)
  })
  const left = [...known.values()].flat().map(({ step }) => `${step}: the provider was not asked for this`)
  return [...differences, ...left]
}

function compareAnswer(their: Exchange, our: Exchange): string[] {
  if (their.status !== our.status) return [`answers ${wordsOf(their)}, the simulator ${wordsOf(our)}`]
  const [theirCodes, ourCodes] = [codesOf(their.answer), codesOf(our.answer)].map((codes) => codes.join(' '))
  if (theirCodes !== ourCodes) return [`is refused for ${theirCodes}, by the simulator for ${ourCodes}`]
  const states = [['status'], ['result', 'status']].flatMap((path) => {
    const [theirState, ourState] = [valueIn(their.answer, ...path), valueIn(our.answer, ...path)]
    return typeof theirState === 'string' && theirState !== ourState
      ? [`its status is ${theirState}, in the simulator ${JSON.stringify(ourState) ?? 'missing'}`]
      : []
  })
  return [...states, ...compareShapes(shapeOf(their.answer), shapeOf(our.answer), 'the answer')]
}

const wordsOf = ({ status, answer }: Exchange) => [status, ...codesOf(answer)].join(' ')

function shapeOf(json: Json): Shape {
  const shape: Shape = { kinds: new Set(), fields: new Map(), items: undefined }
  add(shape, json)
  return shape
}

function add(shape: Shape, json: Json): void {
  const kind = kindOf(json)
  if (kind !== 'null') shape.kinds.add(kind)
  if (Array.isArray(json))
    for (const one of json) {
      shape.items ??= shapeOf(null)
      add(shape.items, one)
    }
  if (!isFields(json)) return
  for (const [name, value] of Object.entries(json)) {
    const field = shape.fields.get(name) ?? shapeOf(null)
    shape.fields.set(name, field)
    add(field, MAPS.test(name) ? null : value)
  }
}

/** Text is told apart where the shop must read it: amounts and times. */
function kindOf(json: Json): string {
  if (json === null) return 'null'
  if (Array.isArray(json)) return 'list'
  if (typeof json !== 'string') return typeof json
  if (/^-?\d+\.\d+$/.test(json)) return 'decimal text'
  return /^\d{4}-\d\d-\d\dT/.test(json) ? 'time text' : 'text'
}

function compareShapes(their: Shape, our: Shape, path: string): string[] {
  const strange = [...their.kinds].filter((kind) => our.kinds.size > 0 && !our.kinds.has(kind))
  if (strange.length > 0) return [`${path} is ${strange.join(' or ')}, in the simulator ${[...our.kinds].join(' or ')}`]
  if (their.items && our.items) return compareShapes(their.items, our.items, `${path}[]`)
  const names = new Set([...their.fields.keys(), ...our.fields.keys()])
  // A list without rows, or an object that is null here, says nothing about its fields.
  if (their.fields.size === 0 || our.fields.size === 0) return []
  return [...names].flatMap((name) => {
    const [theirs, ours] = [their.fields.get(name), our.fields.get(name)]
    if (!theirs) return [`${path} lacks ${name}, which the simulator has`]
    if (!ours) return [`${path} has ${name}, which is not simulated`]
    return compareShapes(theirs, ours, `${path}.${name}`)
  })
}
