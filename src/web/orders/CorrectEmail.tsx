import { CorrectedEmail } from '#contract/orders.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { useForm } from '#web/ui/use-form.ts'

type Props = {
  hint: string
  busy: boolean
  failure: { sentence: string; fields: Readonly<Record<string, string>> } | undefined
  onSend: (email: string) => void
}

/** Changes the email address of an order. */
export function CorrectEmail({ hint, busy, failure, onSend }: Props) {
  const { tied, errorOf, check, isReady } = useForm(CorrectedEmail)
  return (
    <form
      {...tied}
      aria-label="Correct the email"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = check()
        if (typed) onSend(typed.email)
      }}
    >
      <Field
        label="New email"
        id="new-email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={254}
        hint={hint}
        error={errorOf('email') ?? failure?.fields['email']}
      />
      {failure && <Notice>{failure.sentence}</Notice>}
      <div>
        <Button type="submit" variant="outline" busy={busy} disabled={!isReady}>
          Correct the email
        </Button>
      </div>
    </form>
  )
}
