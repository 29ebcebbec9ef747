import { useRef, useState, useSyncExternalStore, type FocusEvent, type FormEvent } from 'react'
import type { output, ZodMiniType } from 'zod/mini'
import { afterPress } from './after-press.ts'

type Fields = Readonly<Record<string, string>>

type State = {
  /** Fields that were left: only those are judged while the rest is still being typed. */
  left: ReadonlySet<string>
  /** The form was sent once: everything is judged. */
  insisted: boolean
  mistakes: Fields
  /** What the shop said of fields that looked right here; gone as soon as the field is changed. */
  refused: Fields
}

const initialState: State = { left: new Set(), insisted: false, mistakes: {}, refused: {} }

/**
 * A form whose fields keep their own values, so that what was typed or filled in before the script came is not lost. A field
 * is judged by the schema when it is left, and again with every letter until it is right.
 * @param given the schema, or how it is loaded once somebody comes into the form; until then nothing is judged
 */
export function useForm<Schema extends ZodMiniType>(given: Schema | (() => Promise<Schema>)) {
  const rules = useRef(typeof given === 'function' ? undefined : given)
  const ready = async (): Promise<void> => {
    if (typeof given === 'function') rules.current ??= await given()
  }
  const form = useRef<HTMLFormElement>(null)
  const [{ left, insisted, mistakes, refused }, setState] = useState(initialState)
  const isReady = useHydrated()

  const judge = () => {
    const typed = Object.fromEntries(form.current ? new FormData(form.current) : [])
    const judged = rules.current?.safeParse(typed)
    const found: Record<string, string> = {}
    for (const { path, message } of judged?.error?.issues ?? []) found[String(path[0])] ??= message
    return { data: judged?.data, mistakes: found }
  }

  const focusFirst = (wrong: Fields) => {
    const fields = [...(form.current?.elements ?? [])]
    const first = fields.find((field) => field instanceof HTMLElement && (field.getAttribute('name') ?? '') in wrong)
    if (first instanceof HTMLElement) first.focus()
  }

  /** For the form element. */
  const tied = {
    ref: form,
    noValidate: true,
    // Before the script has come a browser would put the fields, and with them a password, into the address.
    method: 'post',
    // Whoever sends it without a connection is told then.
    onFocus: () => void ready().catch(() => undefined),
    onInput: (event: FormEvent) => {
      const { name } = event.target as HTMLInputElement
      setState((before) => ({ ...before, mistakes: judge().mistakes, refused: { ...before.refused, [name]: '' } }))
    },
    onBlur: (event: FocusEvent) => {
      const { name, value } = event.target as HTMLInputElement
      if (!name || !value) return
      afterPress(() => {
        setState((before) => ({ ...before, mistakes: judge().mistakes, left: new Set([...before.left, name]) }))
      })
    },
  } as const

  return {
    tied,
    /** False until the script has come: until then the form cannot be sent. */
    isReady,
    errorOf: (name: string): string | undefined =>
      (insisted || left.has(name) ? mistakes[name] : undefined) || refused[name] || undefined,
    /** Waits for rules that are loaded. @throws what loading throws */
    ready,
    /** @returns what was typed; undefined when something is wrong, which is then said and has the focus */
    check: (): output<Schema> | undefined => {
      const judged = judge()
      setState((before) => ({ ...before, mistakes: judged.mistakes, insisted: true }))
      focusFirst(judged.mistakes)
      return judged.data
    },
    /** Says beside the fields what the shop said of them. */
    refuse: (fields: Fields) => {
      setState((before) => ({ ...before, refused: fields }))
      focusFirst(fields)
    },
    clear: () => {
      form.current?.reset()
      setState(initialState)
    },
  }
}

const never = () => () => {}
const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
