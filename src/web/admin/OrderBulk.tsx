import { useState } from 'react'
import { paths } from '#contract/paths.ts'
import type { StaffNeed } from '#domain/accounts/roles.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { download } from '#web/api/download.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useRequest } from '#web/api/use-request.ts'
import { useMay } from './use-may.ts'
import { useBulk, type BulkActionName, type BulkRun } from './use-bulk.ts'

type Action = {
  name: BulkActionName
  text: string
  /** Before and after the number of orders. */
  verb: string
  end: string
  effect: string
  need: StaffNeed
}

const actions: readonly Action[] = [
  {
    name: 'release',
    need: 'fulfill_orders',
    text: 'Release...',
    verb: 'Release',
    end: '',
    effect: 'They go to the printer, which charges their cost as usual.',
  },
  {
    name: 'hold',
    need: 'fulfill_orders',
    text: 'Hold...',
    verb: 'Hold',
    end: '',
    effect: 'They won’t go to the printer until you release them. Customers aren’t notified.',
  },
  {
    name: 'resubmit',
    need: 'fulfill_orders',
    text: 'Send to the printer again...',
    verb: 'Send',
    end: ' to the printer again',
    effect: 'The printer gets them again and charges their cost. It never makes the same order twice.',
  },
  {
    name: 'cancel',
    need: 'fulfill_orders',
    text: 'Cancel...',
    verb: 'Cancel',
    end: '',
    effect: 'They stop for good, at the printer too. Each customer gets an email. Nothing is refunded.',
  },
  {
    name: 'note',
    need: 'edit_orders',
    text: 'Add a note...',
    verb: 'Add a note to',
    end: '',
    effect: 'Only you and your team see it.',
  },
]

const smallClass = 'min-h-9! px-3! py-1! text-[0.875rem]'

const titleOf = ({ verb, end }: Action, count: number): string =>
  `${verb} ${count === 1 ? '1 order' : `${count.toLocaleString('en-US')} orders`}${end}`

type Props = {
  /** Order numbers. */
  selected: readonly string[]
  onClear: () => void
}

/** What can be done with the selected orders, and what became of each. */
export function OrderBulk({ selected, onClear }: Props) {
  const { run, start, close } = useBulk()
  const { run: runExport, busy: isExporting, failure } = useRequest()
  const [active, setActive] = useState<BulkActionName>()
  const may = useMay()
  const possible = actions.filter(({ need }) => may(need))
  const action = possible.find(({ name }) => name === active)
  const exportSelected = () =>
    runExport(() => download(`/api/admin/orders/file?${new URLSearchParams({ numbers: selected.join(',') })}`))
  return (
    <>
      {selected.length > 0 && (
        <div
          role="group"
          aria-label="Selected orders"
          className="sticky top-13 z-20 mb-3 flex flex-wrap items-center gap-2 rounded-card border border-line bg-surface px-3 py-2 shadow-card print:hidden"
        >
          <p role="status" className="mr-1 font-medium">
            {selected.length} selected
          </p>
          {possible.map(({ name, text }) => (
            <Button
              key={name}
              variant="outline"
              className={smallClass}
              aria-haspopup="dialog"
              disabled={run?.isRunning === true}
              onClick={() => setActive(name)}
            >
              {text}
            </Button>
          ))}
          <Button variant="outline" className={smallClass} busy={isExporting} onClick={exportSelected}>
            Export as CSV
          </Button>
          <Button variant="plain" className={smallClass} onClick={onClear}>
            Clear
          </Button>
          {failure && <p className="w-full text-sm font-medium text-danger">{failure.sentence}</p>}
        </div>
      )}
      {run && <Results run={run} onClose={close} />}
      {action && (
        <Dialog open onClose={() => setActive(undefined)} title={titleOf(action, selected.length)}>
          <p className="mb-4">{action.effect}</p>
          <ApiForm
            send={async ({ text = '' }) => {
              setActive(undefined)
              void start(action.name, selected, text)
            }}
          >
            {action.name === 'hold' && <Field label="Reason" name="text" required maxLength={300} />}
            {action.name === 'note' && <TextArea label="Note" name="text" required maxLength={2000} />}
            <FormNotice />
            <SubmitButton>{titleOf(action, selected.length)}</SubmitButton>
          </ApiForm>
        </Dialog>
      )}
    </>
  )
}

/** Refusals come first: they need somebody. */
function Results({ run: { name, results, isRunning }, onClose }: { run: BulkRun; onClose: () => void }) {
  const action = actions.find((one) => one.name === name)
  const countOf = (state: string) => results.filter((result) => result.state === state).length
  const refused = countOf('refused')
  const sorted = results.toSorted((one, other) => Number(other.state === 'refused') - Number(one.state === 'refused'))
  const summary = isRunning
    ? `${countOf('done') + refused} of ${results.length} …`
    : refused === 0
      ? `All ${results.length} done.`
      : `${countOf('done')} of ${results.length} done, ${refused} not.`
  return (
    <section
      aria-labelledby="bulk-results"
      className="mb-4 rounded-card border border-line bg-surface px-4 py-3 text-[0.9375rem]"
    >
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="bulk-results" className="text-[1rem]">
          {action && titleOf(action, results.length)}
        </h2>
        <p role="status" className={refused > 0 ? 'font-semibold text-danger' : 'text-ink-soft'}>
          {summary}
        </p>
        {!isRunning && (
          <Button variant="plain" className={`${smallClass} ml-auto`} onClick={onClose}>
            Close
          </Button>
        )}
      </div>
      <ul className="scroll-area mt-2 max-h-64 divide-y divide-line overflow-y-auto border-t border-line">
        {sorted.map(({ orderNumber, state, sentence }) => (
          <li key={orderNumber} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-1.5">
            <Link to={paths.adminOrder(orderNumber)} className="link-line whitespace-nowrap">
              {formatOrderNumber(orderNumber)}
            </Link>
            {state === 'done' && <Icon name="check" className="size-4 self-center text-good" />}
            {state === 'refused' && <span className="font-semibold text-danger">Not done</span>}
            <span className="min-w-0 wrap-anywhere">{state === 'waiting' ? 'Waiting' : sentence}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
