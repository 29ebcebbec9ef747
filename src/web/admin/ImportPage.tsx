import { useState } from 'react'
import type { ImportReport } from '#contract/admin-imports.ts'
import { formerShopNames, formerShops, type FormerShop } from '#domain/imports/former-shop.ts'
import { upload } from '#web/api/upload.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Button } from '#web/ui/Button.tsx'
import { FieldFrame } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Select } from '#web/ui/Select.tsx'
import { type Column, Table } from '#web/ui/Table.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { RedirectList } from './RedirectList.tsx'
import { useChange } from './use-action.ts'

/** Where each shop's files are, and what is not published about them. */
const hints: Readonly<Record<FormerShop, string>> = {
  shopify:
    'Export orders at Orders, customers at Customers and redirects at Content > Menus > URL redirects. Shopify’s customer file has no proof of consent: add the columns “Consent date” and “Consent source”.',
  woocommerce:
    'Orders come from the extension Customer / Order / Coupon Export, redirects from the plugin Redirection. WooCommerce stores no consent: make a file with the columns Email, Name, “Accepts Email Marketing”, “Consent date” and “Consent source”.',
  fourthwall:
    'Fourthwall doesn’t publish the columns of its files, so we couldn’t confirm them. Orders need Order ID, Email, Created at, Status, Currency, Total, Product name and Quantity. Rename columns that differ.',
}

const options = formerShops.map((value) => ({ value, label: formerShopNames[value] }))

/** `/admin/import`: what comes from a former shop, after a dry run. */
export function ImportPage() {
  const { run, busy, failure, reset } = useRequest()
  const change = useChange()
  const [shop, setShop] = useState<FormerShop>('shopify')
  const [file, setFile] = useState<File>()
  const [report, setReport] = useState<ImportReport>()
  const choose = () => {
    setReport(undefined)
    reset()
  }
  const send = (isDryRun: boolean) =>
    void run(async () => {
      if (!file) return
      setReport(undefined)
      const post = () => upload<ImportReport>(`/api/admin/imports/${shop}${isDryRun ? '?dryRun=1' : ''}`, file)
      setReport(await (isDryRun ? post() : change(post)))
    })
  return (
    <AdminFrame title="Move to this shop">
      <p className="mb-6 max-w-[44em] text-ink-soft">
        Bring past orders, newsletter subscribers and redirects of old addresses, one CSV file at a time. Check a file
        first: that changes nothing. Importing the same file again changes nothing either.
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
              className="min-h-11 w-full min-w-0"
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
      {report && <Report report={report} />}
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

const Report = ({ report: { done, problems, problemCount } }: { report: ImportReport }) => (
  <section aria-label="Result" className="mt-8 grid gap-4">
    <Notice tone="calm">{done}</Notice>
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
