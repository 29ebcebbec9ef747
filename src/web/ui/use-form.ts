import { useRef, useState, useSyncExternalStore, type FocusEvent, type FormEvent } from 'react'
import type { output, ZodMiniType } from 'zod/mini'
import { afterPress } from './after-press.ts'

type Fields = Readonly<Record<string, string>>
/** What is in a form, by field name. */
export type TypedFields = Record<string, string>

type State = {
  /** Fields the user has left; before the first submit only their errors show. */
  left: ReadonlySet<string>
  /** After the first submit, all errors show. */
  isSubmitted: boolean
  errors: Fields
  /** The server's errors; each goes away when its field changes. */
  serverErrors: Fields
  /** The server's error about something that is no field of the form. */
  unplacedError: string | undefined
}

const initialState: State = {
  left: new Set(),
  isSubmitted: false,
  errors: {},
  serverErrors: {},
  unplacedError: undefined,
}

/**
 * A form with uncontrolled fields, so values typed or autofilled before hydration are kept. A field is validated by the schema when
 * it is left, then on every input.
 * @param schema or a loader called when the form gets focus; until it has loaded, nothing is validated. Unset: nothing is validated
 */
export function useForm<Schema extends ZodMiniType>(schema: Schema | (() => Promise<Schema>) | undefined) {
  const rules = useRef(typeof schema === 'function' ? undefined : schema)
  const ready = async (): Promise<void> => {
    if (typeof schema === 'function') rules.current ??= await schema()
  }
  const form = useRef<HTMLFormElement>(null)
  const [{ left, isSubmitted, errors, serverErrors, unplacedError }, setState] = useState(initialState)
  const isReady = useHydrated()

  const typed = (): TypedFields =>
    Object.fromEntries(
      [...(form.current ? new FormData(form.current) : [])].map(([name, value]) => [
        name,
        typeof value === 'string' ? value : value.name,
      ]),
    )

  const validate = () => {
    if (!schema) return { data: typed() as output<Schema>, errors: {} }
    const result = rules.current?.safeParse(typed())
    const messages: TypedFields = {}
    for (const { path, message } of result?.error?.issues ?? []) messages[String(path[0])] ??= message
    return { data: result?.data, errors: messages }
  }

  const focusFirst = (invalid: Fields) => {
    const fields = [...(form.current?.elements ?? [])]
    const first = fields.find((field) => field instanceof HTMLElement && (field.getAttribute('name') ?? '') in invalid)
    if (first instanceof HTMLElement) first.focus()
  }

  /** For the form element. */
  const tied = {
    ref: form,
    noValidate: true,
    // Before hydration, GET would put the fields, including a password, into the address.
    method: 'post',
    onFocus: () => {
      if (rules.current) return
      // A field may be left before the schema has loaded. A failed load is reported on submit.
      void ready().then(
        () => setState((before) => ({ ...before, errors: validate().errors })),
        () => undefined,
      )
    },
    onInput: (event: FormEvent) => {
      const { name } = event.target as HTMLInputElement
      setState((before) => ({
        ...before,
        errors: validate().errors,
        serverErrors: { ...before.serverErrors, [name]: '' },
      }))
    },
    onBlur: (event: FocusEvent) => {
      const { name, value } = event.target as HTMLInputElement
      if (!name || !value) return
      afterPress(() => {
        setState((before) => ({ ...before, errors: validate().errors, left: new Set([...before.left, name]) }))
      })
    },
  } as const

  return {
    tied,
    /** False until hydration: the form can't be sent before. */
    isReady,
    errorOf: (name: string): string | undefined =>
      (isSubmitted || left.has(name) ? errors[name] : undefined) || serverErrors[name] || undefined,
    unplacedError,
    typed,
    hasRules: () => schema === undefined || rules.current !== undefined,
    /** Resolves when the schema is loaded. @throws what loading throws */
    ready,
    /** @returns the parsed values; undefined after showing the errors and focusing the first */
    check: (): output<Schema> | undefined => {
      const result = validate()
      setState((before) => ({ ...before, errors: result.errors, isSubmitted: true }))
      focusFirst(result.errors)
      return result.data
    },
    /** Shows the server's errors beside their fields: `lines.0.amount` beside the field of that name, `lines.0` or `lines`. */
    refuse: (refused: Fields) => {
      const names = Object.keys(typed())
      const placed: TypedFields = {}
      let unplaced: string | undefined
      for (const [path, sentence] of Object.entries(refused)) {
        const name = names.find((field) => `${path}.`.startsWith(`${field}.`))
        if (name === undefined) unplaced ??= sentence
        else placed[name] ??= sentence
      }
      setState((before) => ({ ...before, serverErrors: placed, unplacedError: unplaced }))
      focusFirst(placed)
    },
    clear: () => {
      form.current?.reset()
      setState(initialState)
    },
  }
}

const subscribeNever = () => () => {}
/** False on the server and until its markup is taken over. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  )
