import { useState } from 'react'
import { ErasureRequest, PersonalDataQuery, type PersonalDataCounts } from '#contract/privacy.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { downloadJson } from '#web/privacy/download.ts'
import { hasPersonalData, PersonalDataSummary } from '#web/privacy/PersonalDataSummary.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { useAction } from './use-action.ts'

type PersonData = PersonalDataCounts & { email: string }

/** `/admin/privacy`: find a person's data, export it for them, or erase it. */
export function PrivacyPage() {
  const api = useApi()
  const { tied, errorOf, check, isReady } = useForm(PersonalDataQuery)
  const { run, busy, failure } = useAction()
  const [result, setResult] = useState<PersonData>()
  const [erasing, setErasing] = useState(false)
  const [done, setDone] = useState<string>()
  const { confirmed, dialog } = useFreshPassword()

  const find = async ({ email }: { email: string }) => {
    setDone(undefined)
    const counts = await run(() => api('POST /api/admin/privacy/look', { body: { email } }))
    setResult(counts && { ...counts, email })
  }
  const download = async (email: string) => {
    const data = await run(() => confirmed(() => api('POST /api/admin/privacy/export', { body: { email } })))
    if (data) downloadJson('their-data.json', data)
  }
  return (
    <AdminFrame title="Privacy">
      <p className="mb-6 max-w-[44em] text-ink-soft">
        For people who ask what data we hold about them, or want it erased. They can do both themselves at /my-data,
        through a link we email them. Send a file only to the address it is about.
      </p>
      <form
        {...tied}
        aria-label="Find a person’s data"
        className="mb-8 flex max-w-[38rem] flex-wrap items-start gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = check()
          if (typed) void find(typed)
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
          Find data
        </Button>
      </form>
      {failure && <Notice>{failure.sentence}</Notice>}
      {done && (
        <Notice tone="calm" title="Done">
          {done}
        </Notice>
      )}
      {result && (
        <section aria-labelledby="result" className="grid gap-6 rounded-card border border-line bg-surface p-6">
          <h2 id="result" className="text-[1.375rem] wrap-anywhere">
            {hasPersonalData(result) ? `Data about ${result.email}` : `No data about ${result.email}`}
          </h2>
          {hasPersonalData(result) && (
            <>
              <PersonalDataSummary known={result} />
              <div className="flex flex-wrap gap-3">
                <Button variant="outline" busy={busy} onClick={() => void download(result.email)}>
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
        {erasing && result && (
          <ConfirmErasure
            result={result}
            onErased={(message) => {
              setErasing(false)
              setResult(undefined)
              setDone(message)
            }}
          />
        )}
      </Dialog>
      {dialog}
    </AdminFrame>
  )
}

function ConfirmErasure({ result, onErased }: { result: PersonData; onErased: (message: string) => void }) {
  const api = useApi()
  const { tied, errorOf, check, refuse } = useForm(ErasureRequest)
  const { act, busy, failure } = useAction()
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
          else refuse({ repeated: 'This doesn’t match the email above' })
        }}
      >
        <p>
          This erases the names, addresses, messages and emails of{' '}
          <strong className="wrap-anywhere">{result.email}</strong> for good. Amounts, items, tax and commission stay.
          {result.ordersUnderWay + result.checkoutsUnderWay > 0 &&
            ' Orders and checkouts in progress keep what they need and are erased once they are done.'}
        </p>
        <input type="hidden" name="email" value={result.email} />
        <Field
          label="Type the email to confirm"
          name="repeated"
          autoComplete="off"
          spellCheck={false}
          maxLength={254}
          error={errorOf('repeated')}
        />
        {failure && <Notice>{failure.sentence}</Notice>}
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
