import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { MailName, MailTexts } from '#domain/messages/mail-texts.ts'
import { useApi } from '#web/api/use-api.ts'
import { classNames } from '#web/ui/class-names.ts'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'

const PAUSE_MS = 400

const forms = [
  { form: 'phone', label: 'Phone' },
  { form: 'desktop', label: 'Desktop' },
  { form: 'text', label: 'Plain text' },
] as const
type Form = (typeof forms)[number]['form']

/** An email as shoppers get it, with example data. Follows the typed texts after a pause. */
export function MailPreview({ name, texts }: { name: MailName; texts: MailTexts }) {
  const api = useApi()
  const [shown, setShown] = useState(texts)
  useEffect(() => {
    const timer = setTimeout(() => setShown(texts), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [texts])
  const preview = useQuery({
    queryKey: ['email preview', name, shown],
    queryFn: () => api('POST /api/admin/mails/:mail/preview', { params: { mail: name }, body: { texts: shown } }),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-labelledby="preview" className="min-w-0">
      <h2 id="preview" className="text-title">
        Preview
      </h2>
      <QueryBoundary query={preview}>{(mail) => <MailForms mail={mail} />}</QueryBoundary>
    </section>
  )
}

/** An email in all its forms. */
export function MailForms({
  mail: { subject, html, text },
}: {
  mail: { subject: string; html: string; text: string }
}) {
  const [form, setForm] = useState<Form>('phone')
  return (
    <>
      <fieldset className="mt-3 flex flex-wrap gap-x-5">
        <legend className="sr-only">Show the preview as</legend>
        {forms.map(({ form: one, label }) => (
          <label key={one} className="inline-flex min-h-11 items-center gap-2">
            <input type="radio" name="form" checked={form === one} onChange={() => setForm(one)} />
            {label}
          </label>
        ))}
      </fieldset>
      <p className="mb-3 font-semibold wrap-anywhere">{subject}</p>
      {form === 'text' ? (
        <pre className="overflow-x-auto rounded-card border border-line bg-surface p-4 text-sm whitespace-pre-wrap">
          {text}
        </pre>
      ) : (
        <div className="overflow-x-auto">
          <iframe
            title="The email"
            // No scripts, no forms, no navigation.
            sandbox=""
            srcDoc={html}
            className={classNames(
              'h-[46rem] rounded-card border border-line',
              form === 'phone' ? 'w-[390px] max-w-full' : 'w-[700px]',
            )}
          />
        </div>
      )}
    </>
  )
}
