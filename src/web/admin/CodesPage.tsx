import { useQuery } from '@tanstack/react-query'
import type { Answer } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import { benefitText } from '#domain/codes/benefit-text.ts'
import { formatUsd } from '#shared/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { codesQuery } from './admin-queries.ts'
import { NewCodeForm } from './NewCodeForm.tsx'
import { StatusLabel } from './StatusLabel.tsx'
import { useAction } from './use-action.ts'

type Codes = Answer<'GET /api/admin/codes'>
type Code = Codes['codes'][number]

/** `/admin/codes`: discount codes, what they brought, and a new one. */
export function CodesPage() {
  const query = useQuery(codesQuery)
  return (
    <AdminFrame title="Discount codes">
      <QueryBoundary query={query}>
        {({ codes, choices }) => (
          <div className="grid gap-12">
            <Table
              caption="Codes"
              isCaptionHidden
              stacks
              columns={columns}
              rows={codes}
              keyOf={({ id }) => id}
              empty="There is no code yet. Make the first one below."
            />
            <NewCodeForm key={codes.length} choices={choices} />
          </div>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'America/New_York' })

const conditionsOf = (code: Code): string[] => {
  const { rule, isAutomatic, partner, isMadeByPartner, startsAt, endsAt, usesMax, usesMaxPerPerson } = code
  return [
    ...(isAutomatic ? ['in every cart it fits'] : []),
    ...(partner === null ? [] : [`sales are ${partner}’s${isMadeByPartner ? ', who made it' : ''}`]),
    ...[...rule.collections, ...rule.types, ...rule.products.map((id) => `product ${id}`)].map(
      (goods) => `for ${goods}`,
    ),
    ...(rule.minimum > 0 ? [`from ${formatUsd(rule.minimum)}`] : []),
    ...(rule.isFirstOrderOnly ? ['first order only'] : []),
    ...(rule.combines ? ['with other codes'] : []),
    ...(usesMax === null ? [] : [`${usesMax} uses`]),
    ...(usesMaxPerPerson === null ? [] : [`${usesMaxPerPerson} per person`]),
    ...(startsAt === null ? [] : [`from ${dayFormat.format(new Date(startsAt))}`]),
    ...(endsAt === null ? [] : [`until ${dayFormat.format(new Date(Date.parse(endsAt) - 1))}`]),
  ]
}

const columns: readonly [Column<Code>, ...Column<Code>[]] = [
  { key: 'code', title: 'Code', sortBy: ({ code }) => code, cell: ({ code }) => code },
  {
    key: 'what',
    title: 'What it does',
    cell: (code) => (
      <>
        {benefitText(code.rule.benefit)}
        <span className="block text-sm text-ink-soft">{conditionsOf(code).join(', ')}</span>
      </>
    ),
  },
  { key: 'status', title: 'Status', cell: ({ status }) => <StatusLabel status={status} /> },
  { key: 'uses', title: 'Uses', isNumber: true, sortBy: ({ uses }) => uses, cell: ({ uses }) => uses },
  { key: 'orders', title: 'Orders', isNumber: true, sortBy: ({ orders }) => orders, cell: ({ orders }) => orders },
  { key: 'off', title: 'Taken off', isNumber: true, sortBy: ({ off }) => off, cell: ({ off }) => formatUsd(off) },
  { key: 'sales', title: 'Sales', isNumber: true, sortBy: ({ sales }) => sales, cell: ({ sales }) => formatUsd(sales) },
  { key: 'end', title: 'End it', isAction: true, cell: (code) => <EndButton code={code} /> },
]

function EndButton({ code: { id, code, status } }: { code: Code }) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  if (status === 'ended') return null
  return (
    <>
      <Button
        variant="plain"
        busy={busy}
        onClick={() => void act(() => api('POST /api/admin/codes/:id/end', { params: { id } }))}
      >
        End<span className="sr-only"> {code}</span>
      </Button>
      {failure && <Notice>{failure.sentence}</Notice>}
    </>
  )
}
