import { useId, useState } from 'react'
import { hiddenRates } from '#domain/checkout/indicative.ts'
import { readRatesFile, type ReadRate } from '#domain/checkout/rates-file.ts'
import { DAY_MS } from '#shared/time.ts'
import { useShopTime } from '#web/api/use-shop-time.ts'
import { inputClass } from '#web/ui/input-class.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { useHydrated } from '#web/ui/use-form.ts'

const LENGTH_MAX = 1_000_000

/** Fills the rows of exchange rates from a file. They are saved with the form; with a mistake in the file nothing changes. */
export function RatesFile({ stored, onRead }: { stored: readonly unknown[]; onRead: (rates: ReadRate[]) => void }) {
  const id = useId()
  const isHydrated = useHydrated()
  const shopTime = useShopTime()
  const today = () => Math.floor(shopTime() / DAY_MS)
  const [result, setResult] = useState<{ problem?: string; done?: string }>({})
  const read = async (file: File) => {
    const { rates, problem } =
      file.size > LENGTH_MAX
        ? { problem: 'This file is too large for exchange rates.' }
        : readRatesFile(await file.text())
    if (!rates) return setResult({ problem: `${problem} Nothing has changed.` })
    onRead(rates)
    const hidden = hiddenRates(rates, today())
    setResult({
      done: `${rates.length} rates of ${rates[0]?.day ?? ''} were read. Save to use them.${hidden.length > 0 ? ` ${HIDDEN}` : ''}`,
    })
  }
  // As the setting's schema has stored them.
  const hidden = isHydrated ? hiddenRates(stored as ReadRate[], today()) : []
  return (
    <div className="mb-4 grid max-w-[34em] gap-3">
      {hidden.length > 0 && result.done === undefined && (
        <Notice>
          {hidden.map(({ currency }) => currency).join(', ')}: {HIDDEN}
        </Notice>
      )}
      <label htmlFor={id} className="text-[0.9375rem] font-medium">
        Read a file
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,.xml,text/csv,text/xml"
        className={inputClass}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // Choosing the same file again reads it again.
          currentTarget.value = ''
          if (file) void read(file)
        }}
      />
      <p id={`${id}-hint`} className="text-sm text-ink-soft">
        The European Central Bank’s daily rates (XML or CSV), or a CSV with the columns currency, rate and date.
      </p>
      {result.problem && <Notice>{result.problem}</Notice>}
      {result.done && <p role="status">{result.done}</p>}
    </div>
  )
}

const HIDDEN = 'Shoppers don’t see rates that are older than a week.'
