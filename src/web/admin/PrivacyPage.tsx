import { useState } from 'react'
import { ErasureRequest, PersonalDataQuery, type PersonalDataCounts } from '#contract/privacy.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/checkout/Notice.tsx'
import { downloadJson } from '#web/privacy/download.ts'
import { hasPersonalData, PersonalDataSummary } from '#web/privacy/PersonalDataSummary.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { useAction } from './use-action.ts'

type FoundData = PersonalDataCounts & { email: string }

/** `/admin/privacy`: what there is of somebody, as a file for them, and their erasure. */
export function PrivacyPage() {
  const api = useApi()
  const { tied, errorOf, check, isReady } = useForm(PersonalDataQuery)
  const { ask, busy, trouble } = useAction()
  const [found, setFound] = useState<FoundData>()
  const [erasing, setErasing] = useState(false)
  const [done, setDone] = useState<string>()
  const { confirmed, dialog } = useFreshPassword()

  const look = async ({ email }: { email: string }) => {
    setDone(undefined)
    const known = await ask(() => api('POST /api/admin/privacy/look', { body: { email } }))
    setFound(known && { ...known, email })
  }
  const download = async (email: string) => {
    const all = await ask(() => confirmed(() => api('POST /api/admin/privacy/export', { body: { email } })))
    if (all) downloadJson('their-data.json', all)
  }
  return (
    <AdminFrame title="Privacy">
      <p className="mb-6 max-w-[44em] text-ink-soft">
        When somebody asks what we have about them, or wants to be erased. Guests can do both by themselves at /my-data,
        by a link that is mailed to them. Give a file only to the address that it is about.
      </p>
      <form
        {...tied}
        aria-label="Find somebody"
        className="mb-8 flex max-w-[38rem] flex-wrap items-start gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = check()
          if (typed) void look(typed)
        }}
      >
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          spellCheck={false}
          maxLength={254}
          error={errorOf('email')}
          className="min-w-[16rem] flex-1"
        />
        <Button type="submit" busy={busy} disabled={!isReady} className="mt-[1.85rem]">
          Look
        </Button>
      </form>
      {trouble && <Notice>{trouble.sentence}</Notice>}
      {done && (
        <Notice tone="calm" title="Done">
          {done}
        </Notice>
      )}
      {found && (
        <section aria-labelledby="found" className="grid gap-6 rounded-card border border-line bg-surface p-6">
          <h2 id="found" className="text-[1.375rem] wrap-anywhere">
            {hasPersonalData(found) ? `What there is of ${found.email}` : `There is nothing of ${found.email}`}
          </h2>
          {hasPersonalData(found) && (
            <>
              <PersonalDataSummary known={found} />
              <div className="flex flex-wrap gap-3">
                <Button variant="outline" busy={busy} onClick={() => void download(found.email)}>
                  Download as a file
                </Button>
                <Button variant="outline" aria-haspopup="dialog" onClick={() => setErasing(true)}>
                  Erase...
                </Button>
              </div>
            </>
          )}
        </section>
      )}
      <Dialog open={erasing} onClose={() => setErasing(false)} title="Erase for good">
        {erasing && found && (
          <ConfirmErasure
            found={found}
            onErased={(said) => {
              setErasing(false)
              setFound(undefined)
              setDone(said)
            }}
          />
        )}
      </Dialog>
      {dialog}
    </AdminFrame>
  )
}

function ConfirmErasure({ found, onErased }: { found: FoundData; onErased: (said: string) => void }) {
  const api = useApi()
  const { tied, errorOf, check, refuse } = useForm(ErasureRequest)
  const { act, busy, trouble } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const erase = async (body: ErasureRequest) => {
    const erased = await act(() => confirmed(() => api('POST /api/admin/privacy/erase', { body })))
    if (erased) onErased(erased.done)
  }
  return (
    <>
      <form
        {...tied}
        aria-label="Erase for good"
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = check()
          if (!typed) return
          if (typed.repeated.toLowerCase() === typed.email.toLowerCase()) void erase(typed)
          else refuse({ repeated: 'This is not the same email' })
        }}
      >
        <p>
          Names, addresses, email, messages and mails of <strong className="wrap-anywhere">{found.email}</strong> go,
          and nobody can bring them back. Amounts, goods, tax and commission stay.
          {found.ordersUnderWay + found.checkoutsUnderWay > 0 &&
            ' What is still under way keeps what it needs and is erased once it is done.'}
        </p>
        <input type="hidden" name="email" value={found.email} />
        <Field
          label="Type the email again"
          name="repeated"
          autoComplete="off"
          spellCheck={false}
          maxLength={254}
          error={errorOf('repeated')}
        />
        {trouble && <Notice>{trouble.sentence}</Notice>}
        <div>
          <Button type="submit" busy={busy}>
            Erase for good
          </Button>
        </div>
      </form>
      {dialog}
    </>
  )
}
