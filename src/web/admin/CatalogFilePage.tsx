import { useRef, useState } from 'react'
import type { CatalogImport } from '#contract/admin-catalog-file.ts'
import { paths } from '#contract/paths.ts'
import { upload } from '#web/api/upload.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { FieldFrame } from '#web/ui/Field.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { CatalogDifference } from './CatalogDifference.tsx'
import { useChange } from './use-action.ts'

const ADDRESS = '/api/admin/catalog-file'

const forms = [
  {
    form: 'zip',
    name: 'Archive with pictures (.zip)',
    hint: 'Everything: products in any state, variants, collections, product types, all pictures and drawings.',
  },
  { form: 'json', name: 'Without pictures (.json)', hint: 'The same as a text that programs read.' },
  {
    form: 'csv',
    name: 'Spreadsheet (.csv)',
    hint: 'Products and variants, a row per variant. Change cells and upload it again below.',
  },
] as const

/** `/admin/catalog/file`: the whole catalog out, and in again after the owner has seen the difference. */
export function CatalogFilePage() {
  return (
    <AdminFrame title="Catalog file">
      <p className="mb-8 max-w-[44em] text-ink-soft">
        Take the whole catalog to another shop, keep a copy of it, or change many{' '}
        <Link to={paths.adminProducts} className="link-line">
          products
        </Link>{' '}
        at once in a spreadsheet.
      </p>
      <section aria-labelledby="download" className="mb-12">
        <h2 id="download" className="mb-4 text-[1.375rem]">
          Download
        </h2>
        <ul className="grid gap-4 md:grid-cols-3">
          {forms.map(({ form, name, hint }) => (
            <li key={form} className="flex flex-col items-start gap-3 rounded-card border border-line p-4">
              {/* A link, not a request: the browser writes an archive of gigabytes straight to disk. */}
              <a
                href={`${ADDRESS}/${form}`}
                download
                className={buttonClass('outline')}
                aria-describedby={`${form}-hint`}
              >
                {name}
              </a>
              <p id={`${form}-hint`} className="text-sm text-ink-soft">
                {hint}
              </p>
            </li>
          ))}
        </ul>
      </section>
      <Upload />
    </AdminFrame>
  )
}

type Mistake = { place: string; problem: string }

const mistakeColumns: readonly [Column<Mistake>, ...Column<Mistake>[]] = [
  { key: 'place', title: 'Where', cell: ({ place }) => place },
  { key: 'problem', title: 'Why', cell: ({ problem }) => <span className="wrap-anywhere">{problem}</span> },
]

function Upload() {
  const { run, busy, failure, reset } = useRequest()
  const change = useChange()
  const [file, setFile] = useState<File>()
  const [report, setReport] = useState<CatalogImport>()
  const result = useRef<HTMLElement>(null)
  const send = (agreed?: Pick<CatalogImport, 'fingerprint' | 'belowFloor'>) =>
    void run(async () => {
      if (!file) return
      const query = agreed ? `?expected=${agreed.fingerprint}${agreed.belowFloor === null ? '' : '&accepted=1'}` : ''
      const post = () => upload<CatalogImport>(`${ADDRESS}${query}`, file)
      setReport(undefined)
      setReport(await (agreed ? change(post) : post()))
      // The keyboard goes on where the difference stands.
      requestAnimationFrame(() => result.current?.focus())
    })
  const mistakes = Object.entries(failure?.fields ?? {})
  return (
    <section aria-labelledby="upload">
      <h2 id="upload" className="mb-2 text-[1.375rem]">
        Upload
      </h2>
      <p className="mb-4 max-w-[44em] text-ink-soft">
        You see what a file would change before anything is changed. Uploading the same file again changes nothing.
      </p>
      <form
        aria-label="Upload"
        className="grid max-w-[44em] grid-cols-[minmax(0,1fr)] gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <FieldFrame
          label="Catalog file"
          name="file"
          hint="A .zip of up to 4 GB, or .json or .csv of up to 128 MB. A .zip or .json is the whole catalog: products that came from a file and are missing in it retire."
        >
          {(attributes) => (
            <input
              {...attributes}
              type="file"
              accept=".zip,.json,.csv,application/zip,application/json,text/csv"
              className={inputClass}
              onChange={({ currentTarget: { files } }) => {
                setFile(files?.[0])
                setReport(undefined)
                reset()
              }}
            />
          )}
        </FieldFrame>
        {failure && <Notice>{failure.sentence}</Notice>}
        {busy && (
          <p role="status" className="text-sm text-ink-soft">
            Working on it. A large catalog takes up to a minute; please keep this page open.
          </p>
        )}
        <div>
          <Button type="submit" variant={report?.isDryRun ? 'outline' : 'primary'} busy={busy} disabled={!file}>
            Show what would change
          </Button>
        </div>
      </form>
      {/* The sentence names a single one. */}
      {mistakes.length > 1 && (
        <div className="mt-8">
          <Table
            caption={mistakes.length >= 200 ? 'What is wrong: the first 200' : 'What is wrong'}
            stacks
            columns={mistakeColumns}
            rows={mistakes.map(([place, problem]) => ({ place, problem }))}
            keyOf={({ place }) => place}
            empty=""
          />
        </div>
      )}
      {report && (
        <section ref={result} tabIndex={-1} aria-label="Result" className="mt-8 grid gap-6 outline-none">
          <Notice tone="calm">{report.done}</Notice>
          {report.isDryRun && report.belowFloor !== null && (
            <Notice title="Some sales would leave too little">{report.belowFloor}</Notice>
          )}
          <CatalogDifference report={report} />
          {report.isDryRun && report.differenceCount > 0 && (
            <div>
              <Button busy={busy} onClick={() => send(report)}>
                {report.belowFloor === null ? 'Import exactly this' : 'Accept, and import exactly this'}
              </Button>
            </div>
          )}
        </section>
      )}
    </section>
  )
}
