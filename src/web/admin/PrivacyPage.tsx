import { useState } from 'react'
import * as z from 'zod/mini'
import { ErasureRequest, PersonalDataQuery, type PersonalDataCounts } from '#contract/privacy.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { download } from '#web/api/download.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { hasPersonalData, PersonalDataSummary } from '#web/privacy/PersonalDataSummary.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { useAction, useChange } from './use-action.ts'

type PersonData = PersonalDataCounts & { email: string }

/** `/admin/privacy`: find a person's data, export it for them, or erase it. */
export function PrivacyPage() {
  const api = useApi()
  const { run, busy, failure } = useAction()
  const [result, setResult] = useState<PersonData>()
  const [erasing, setErasing] = useState(false)
  const [done, setDone] = useState<string>()
  const { confirmed, dialog } = useFreshPassword()

  const find = async ({ email }: { email: string }) => {
    setDone(undefined)
    setResult(undefined)
    setResult({ ...(await api('POST /api/admin/privacy/look', { body: { email } })), email })
  }
  return (
    <AdminFrame title="Privacy">
      <p className="mb-6 max-w-[44em] text-ink-soft">
        For people who ask what data we hold about them, or want it erased. They can do both themselves at /my-data,
        through a link we email them. Send a file only to the address it is about.
      </p>
      <ApiForm schema={PersonalDataQuery} send={find} aria-label="Find a person’s data">
        <div className="mb-8 flex max-w-[38rem] flex-wrap items-start gap-4">
          <EmailField autoComplete="off" className="min-w-[16rem] flex-1" />
          <SubmitButton className="mt-[1.85rem]">Find data</SubmitButton>
        </div>
        <FormNotice />
      </ApiForm>
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
                <Button
                  variant="outline"
                  busy={busy}
                  onClick={() =>
                    void run(() => confirmed(() => download('/api/admin/privacy/export', { email: result.email })))
                  }
                >
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

const ConfirmedErasure = ErasureRequest.check(
  z.refine(({ email, repeated }) => repeated.toLowerCase() === email.toLowerCase(), {
    path: ['repeated'],
    message: 'This doesn’t match the email above',
  }),
)

function ConfirmErasure({ result, onErased }: { result: PersonData; onErased: (message: string) => void }) {
  const api = useApi()
  const change = useChange()
  const { confirmed, dialog } = useFreshPassword()
  const erase = async (body: ErasureRequest) => {
    const { done } = await change(() => confirmed(() => api('POST /api/admin/privacy/erase', { body })))
    onErased(done)
  }
  return (
    <>
      <ApiForm schema={ConfirmedErasure} send={erase} aria-label="Erase for good" className="grid gap-5">
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
        />
        <FormNotice />
        <div>
          <SubmitButton>Erase for good</SubmitButton>
        </div>
      </ApiForm>
      {dialog}
    </>
  )
}
