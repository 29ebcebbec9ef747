import { useState } from 'react'
import * as z from 'zod/mini'
import { formatMeasure } from '#domain/catalog/measures.ts'
import type { Measure, SizeTable } from '#domain/catalog/product-types.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { inputClass } from '#web/ui/input-class.ts'

/** A size table with its measures as typed. */
export type TypedTable = { caption: string; measures: string[]; rows: { size: string; values: string[] }[] }

const textOf = (measure: Measure): string =>
  measure === null ? '' : typeof measure === 'number' ? String(measure) : measure.join(' - ')

/** `20`, `18 - 20`, `18 to 20`; null for nothing, undefined for what is no measure. */
function measureIn(text: string): Measure | undefined {
  if (!text.trim()) return null
  const [, least, most] = /^\s*(\d{1,4}(?:\.\d{1,3})?)(?:\s*(?:-|–|to)\s*(\d{1,4}(?:\.\d{1,3})?))?\s*$/.exec(text) ?? []
  if (least === undefined) return undefined
  return most === undefined ? Number(least) : [Number(least), Number(most)]
}

export const toTypedTable = (table: SizeTable | null): TypedTable | null =>
  table && { ...table, rows: table.rows.map(({ size, values }) => ({ size, values: values.map(textOf) })) }

/** Measures that cannot be read are refused before by `measuresAreReadable`. */
export const toSizeTable = (table: TypedTable | null): SizeTable | null =>
  table && {
    ...table,
    rows: table.rows.map(({ size, values }) => ({ size, values: values.map((text) => measureIn(text) ?? null) })),
  }

const cellName = (row: number, column: number) => `content.sizeTable.rows.${row}.values.${column}`

/** The form's own rule; everything else is the server's. */
export const measuresAreReadable = z.record(z.string(), z.string()).check(({ value, issues }) => {
  for (const [name, text] of Object.entries(value))
    if (/^content\.sizeTable\.rows\.\d+\.values\.\d+$/.test(name) && measureIn(text) === undefined)
      issues.push({
        code: 'custom',
        path: [name],
        message: 'Please enter inches, such as 20 or 18 - 20',
        input: text,
      })
})

type Props = { sizeLabel: string; table: TypedTable | null; onTable: (table: TypedTable | null) => void }

const EMPTY: TypedTable = { caption: 'Measured flat.', measures: ['Length'], rows: [{ size: '', values: [''] }] }

/** The size guide, entered in inches; shoppers see centimeters beside them. */
export function SizeTableField({ sizeLabel, table, onTable }: Props) {
  const [message, setMessage] = useState('')
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-4">
      <legend className="mb-2 text-[1.375rem] font-semibold">Size guide</legend>
      <p role="status" className="sr-only">
        {message}
      </p>
      {table ? (
        <Cells sizeLabel={sizeLabel} table={table} onTable={onTable} say={setMessage} />
      ) : (
        <p className="text-ink-soft">Products of this type have no size guide.</p>
      )}
      <div>
        <Button variant="outline" onClick={() => onTable(table ? null : EMPTY)}>
          {table ? 'Remove the size guide' : 'Add a size guide'}
        </Button>
      </div>
    </fieldset>
  )
}

const MEASURES_MAX = 12
const ROWS_MAX = 60

type CellsProps = { sizeLabel: string; table: TypedTable; onTable: Props['onTable']; say: (message: string) => void }

function Cells({ sizeLabel, table, onTable, say }: CellsProps) {
  const { caption, measures, rows } = table
  const change = (part: Partial<TypedTable>) => onTable({ ...table, ...part })
  const changeRow = (index: number, part: Partial<TypedTable['rows'][number]>) =>
    change({ rows: rows.map((row, at) => (at === index ? { ...row, ...part } : row)) })
  const removeMeasure = (index: number) => {
    change({
      measures: measures.toSpliced(index, 1),
      rows: rows.map(({ size, values }) => ({ size, values: values.toSpliced(index, 1) })),
    })
    say(`Measure ${measures[index] || index + 1} is removed.`)
  }
  const cellClass = `${inputClass} min-w-24 py-2!`
  return (
    <>
      <Field
        label="How it was measured"
        name="content.sizeTable.caption"
        value={caption}
        maxLength={200}
        onValue={(text) => change({ caption: text })}
      />
      <p className="text-sm text-ink-soft">In inches: 20, or 18 - 20. Centimeters follow.</p>
      <div
        role="region"
        aria-label="Sizes and measures"
        // Arrow keys scroll only focusable elements.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        // Holds the hidden labels, which would widen the page.
        className="relative overflow-x-auto rounded-card border border-line"
      >
        <table className="w-full text-left">
          <thead>
            <tr className="align-top">
              <th scope="col" className="p-2 font-semibold">
                {sizeLabel || 'Size'}
              </th>
              {measures.map((measure, column) => (
                // oxlint-disable-next-line react/no-array-index-key
                <th key={column} scope="col" className="p-2">
                  <span className="flex items-center">
                    <input
                      aria-label={`Measure ${column + 1}`}
                      name={`content.sizeTable.measures.${column}`}
                      value={measure}
                      maxLength={40}
                      className={cellClass}
                      onChange={({ currentTarget }) => change({ measures: measures.with(column, currentTarget.value) })}
                    />
                    {measures.length > 1 && (
                      <IconButton
                        icon="close"
                        label={`Remove measure ${measure || column + 1}`}
                        onClick={() => removeMeasure(column)}
                      />
                    )}
                  </span>
                </th>
              ))}
              <th scope="col">
                <span className="sr-only">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ size, values }, row) => (
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={row} className="border-t border-line align-top">
                <th scope="row" className="p-2">
                  <input
                    aria-label={`${sizeLabel || 'Size'} ${row + 1}`}
                    name={`content.sizeTable.rows.${row}.size`}
                    value={size}
                    maxLength={60}
                    className={cellClass}
                    onChange={({ currentTarget }) => changeRow(row, { size: currentTarget.value })}
                  />
                </th>
                {measures.map((measure, column) => (
                  // oxlint-disable-next-line react/no-array-index-key
                  <td key={column} className="p-2">
                    <Cell
                      name={cellName(row, column)}
                      label={`${measure || `Measure ${column + 1}`} of ${size || `row ${row + 1}`}`}
                      text={values[column] ?? ''}
                      onText={(text) =>
                        changeRow(row, { values: measures.map((_, at) => (at === column ? text : (values[at] ?? ''))) })
                      }
                    />
                  </td>
                ))}
                <td className="p-2">
                  {rows.length > 1 && (
                    <IconButton
                      icon="close"
                      label={`Remove ${size || `row ${row + 1}`}`}
                      onClick={() => {
                        change({ rows: rows.toSpliced(row, 1) })
                        say(`${size || `Row ${row + 1}`} is removed.`)
                      }}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex flex-wrap gap-3">
        {rows.length < ROWS_MAX && (
          <Button
            variant="outline"
            onClick={() => change({ rows: [...rows, { size: '', values: measures.map(() => '') }] })}
          >
            Add a row
          </Button>
        )}
        {measures.length < MEASURES_MAX && (
          <Button
            variant="outline"
            onClick={() =>
              change({
                measures: [...measures, ''],
                rows: rows.map((row) => ({ ...row, values: [...row.values, ''] })),
              })
            }
          >
            Add a measure
          </Button>
        )}
      </div>
    </>
  )
}

type CellProps = { name: string; label: string; text: string; onText: (text: string) => void }

function Cell({ name, label, text, onText }: CellProps) {
  const measure = measureIn(text)
  return (
    <>
      <Field
        label={<span className="sr-only">{label}</span>}
        name={name}
        value={text}
        maxLength={20}
        autoComplete="off"
        inputMode="text"
        onValue={onText}
      />
      {measure !== undefined && measure !== null && (
        <span className="block text-sm whitespace-nowrap text-ink-soft">{formatMeasure(measure).split(' / ')[1]}</span>
      )}
    </>
  )
}
