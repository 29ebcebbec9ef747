import { useState } from 'react'
import type { ImportReport } from '#contract/admin-imports.ts'
import { formerShopNames, formerShops, type FormerShop } from '#domain/imports/former-shop.ts'
import type { ImportChoices } from '#domain/imports/choices.ts'
import { upload } from '#web/api/upload.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Button } from '#web/ui/Button.tsx'
import { FieldFrame } from '#web/ui/Field.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Select } from '#web/ui/Select.tsx'
import { type Column, Table } from '#web/ui/Table.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { ImportChoicesForm } from './ImportChoicesForm.tsx'
import { ImportedPictures } from './ImportedPictures.tsx'
import { RedirectList } from './RedirectList.tsx'
import { useChange } from './use-action.ts'

/** Where each shop's files are, and what is not published about them. */
const hints: Readonly<Record<FormerShop, string>> = {
  shopify:
    'Export products at Products, orders at Orders, customers at Customers and redirects at Content > Menus > URL redirects. Shopify’s customer file has no proof of consent: add the columns “Consent date” and “Consent source”.',
  woocommerce:
    'Export products at Products > All products > Export. Orders come from the extension Customer / Order / Coupon Export, redirects from the plugin Redirection. WooCommerce stores no consent: make a file with the columns Email, Name, “Accepts Email Marketing”, “Consent date” and “Consent source”.',
  fourthwall:
    'Fourthwall doesn’t publish the columns of its files, so we couldn’t confirm them. Products need Product name, Description, SKU and Price. Orders need Order ID, Email, Created at, Status, Currency, Total, Product name and Quantity. Rename columns that differ.',
}

const options = formerShops.map((value) => ({ value, label: formerShopNames[value] }))

const NO_CHOICES: ImportChoices = { collection: null, types: {} }

/** `/admin/import`: what comes from a former shop, after a dry run. */
export function ImportPage() {
  const { run, busy, failure, reset } = useRequest()
  const change = useChange()
  const [shop, setShop] = useState<FormerShop>('shopify')
  const [file, setFile] = useState<File>()
  const [report, setReport] = useState<ImportReport>()
  const [choices, setChoices] = useState(NO_CHOICES)
  const choose = () => {
    setReport(undefined)
    setChoices(NO_CHOICES)
    reset()
  }
  const send = (isDryRun: boolean) =>
    void run(async () => {
      if (!file) return
      const search = new URLSearchParams({ ...(isDryRun && { dryRun: '1' }), choices: JSON.stringify(choices) })
      const post = () => upload<ImportReport>(`/api/admin/imports/${shop}?${search}`, file)
      setReport(await (isDryRun ? post() : change(post)))
    })
  return (
    <AdminFrame title="Move to this shop">
      <p className="mb-6 max-w-[44em] text-ink-soft">
        Bring products with their pictures, past orders, newsletter subscribers and redirects of old addresses, one CSV
        file at a time. Check a file first: that changes nothing. Importing the same file again changes nothing either.
      </p>
      <form
        aria-label="Import"
        className="grid max-w-[44em] grid-cols-[minmax(0,1fr)] gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          send(true)
        }}
      >
        <Select
          label="Former shop"
          name="shop"
          value={shop}
          options={options}
          hint={hints[shop]}
          onValue={(value) => {
            setShop(value)
            choose()
          }}
        />
        <FieldFrame label="Export file" name="file" hint="A CSV file of up to 50 MB.">
          {(attributes) => (
            <input
              {...attributes}
              type="file"
              accept=".csv,text/csv"
              className={inputClass}
              onChange={({ currentTarget: { files } }) => {
                setFile(files?.[0])
                choose()
              }}
            />
          )}
        </FieldFrame>
        {failure && <Notice>{failure.sentence}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="outline" busy={busy} disabled={!file}>
            Check the file
          </Button>
          <Button busy={busy} disabled={!report?.isDryRun || report.added === 0} onClick={() => send(false)}>
            Import
          </Button>
        </div>
      </form>
      {report && (
        <Report
          report={report}
          choices={choices}
          onChoices={report.isDryRun ? setChoices : undefined}
          onCheck={() => send(true)}
          busy={busy}
        />
      )}
      <ImportedPictures />
      <RedirectList />
    </AdminFrame>
  )
}

type Problem = ImportReport['problems'][number] & { key: number }

const columns: readonly [Column<Problem>, ...Column<Problem>[]] = [
  { key: 'row', title: 'Row', cell: ({ row }) => row, isNumber: true },
  { key: 'column', title: 'Column', cell: ({ column }) => column ?? '' },
  { key: 'reason', title: 'Why', cell: ({ reason }) => <span className="wrap-anywhere">{reason}</span> },
]

type ReportProps = {
  report: ImportReport
  choices: ImportChoices
  onChoices: ((choices: ImportChoices) => void) | undefined
  onCheck: () => void
  busy: boolean
}

const isAsked = ({ types, withoutCollection }: NonNullable<ImportReport['products']>): boolean =>
  types.length > 0 || withoutCollection > 0

const Report = ({
  report: { done, problems, problemCount, products },
  choices,
  onChoices,
  onCheck,
  busy,
}: ReportProps) => (
  <section aria-label="Result" className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-4">
    <Notice tone="calm">{done}</Notice>
    {products && <ImportChoicesForm products={products} choices={choices} onChoices={onChoices} />}
    {products && onChoices && isAsked(products) && (
      <div>
        <Button variant="outline" busy={busy} onClick={onCheck}>
          Check with these choices
        </Button>
      </div>
    )}
    {problems.length > 0 && (
      <Table<Problem>
        caption={
          problems.length < problemCount
            ? `What can’t come: the first ${problems.length} of ${problemCount}`
            : 'What can’t come'
        }
        stacks
        columns={columns}
        rows={problems.map((problem, key) => ({ ...problem, key }))}
        keyOf={({ key }) => key}
        empty=""
      />
    )}
  </section>
)
