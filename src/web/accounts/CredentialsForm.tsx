import { useState, type ReactNode } from 'react'
import type { ZodMiniType } from 'zod/mini'
import type { Credentials } from '#contract/accounts.ts'
import { fieldsOf, sentenceOf } from '#web/api/error-sentence.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { useForm } from '#web/ui/use-form.ts'

type Props = {
  schema: ZodMiniType<Credentials>
  /** A new account: asks for the password twice. */
  isNew?: boolean
  onSend: (credentials: Credentials) => Promise<void>
  isSending: boolean
  labels: { idle: string; busy: string; failed: string }
  note: ReactNode
}

/** Username and password, for both tabs. */
export function CredentialsForm({ schema, isNew = false, onSend, isSending, labels, note }: Props) {
  const { tied, isReady, errorOf, check, refuse } = useForm(schema)
  const [problem, setProblem] = useState<string>()

  const send = async (credentials: Credentials) => {
    setProblem(undefined)
    try {
      await onSend(credentials)
    } catch (error) {
      setProblem(sentenceOf(error))
      refuse(fieldsOf(error))
    }
  }
  const password = { type: 'password', required: true, autoCapitalize: 'none', maxLength: 256 } as const

  return (
    <form
      {...tied}
      aria-label={labels.idle}
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        const credentials = check()
        if (credentials && !isSending) void send(credentials)
      }}
    >
      <Field
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={64}
        error={errorOf('username')}
      />
      <Field
        label="Password"
        name="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        hint={isNew ? 'At least 6 characters; longer is better.' : undefined}
        error={errorOf('password')}
        {...password}
      />
      {isNew && (
        <Field
          label="Confirm password"
          name="confirmPassword"
          autoComplete="new-password"
          error={errorOf('confirmPassword')}
          {...password}
        />
      )}
      {problem && <Notice title={labels.failed}>{problem}</Notice>}
      <noscript>
        <p className="text-ink-soft">Signing in needs JavaScript. Browsing the shop does not.</p>
      </noscript>
      <Button type="submit" busy={isSending} disabled={!isReady}>
        {isSending ? labels.busy : labels.idle}
      </Button>
      <p className="text-sm text-ink-soft">{note}</p>
    </form>
  )
}
