// cspell:ignore Addtl Bookg CRDT DBIT Ntry Pties Rltd Svcr
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import * as z from 'zod/mini'
import {
  columnsOf,
  lineOfRow,
  lineText,
  readDay,
  StatementMistake,
  type BankLine,
  type BankStatement,
  type CsvColumns,
} from '#domain/reconciliation/bank-lines.ts'
import { centsFromDecimal, negate } from '#shared/money.ts'
import { CsvMistake, readCsvRows } from '#server/files/csv-reader.ts'

/** A year of a busy account is shorter. */
const LINES_MAX = 20_000

/** A bank's statement: ISO 20022 CAMT.053 in version .02 or .08, or CSV. @throws StatementMistake */
export async function readStatement(bytes: Uint8Array): Promise<BankStatement> {
  const start = new TextDecoder().decode(bytes.subarray(0, 200)).replace(/^\uFEFF/, '')
  const statement = start.trimStart().startsWith('<') ? readCamt(bytes) : await readCsv(bytes)
  if (statement.lines.length === 0) throw new StatementMistake('This statement has no booked lines.')
  if (statement.lines.length > LINES_MAX)
    throw new StatementMistake(`This statement has more than ${LINES_MAX} lines. Please upload it in parts.`)
  return statement
}

async function readCsv(bytes: Uint8Array): Promise<BankStatement> {
  let columns: CsvColumns | undefined
  const lines: BankLine[] = []
  try {
    for await (const row of readCsvRows(bytes)) {
      if (columns) lines.push(lineOfRow(columns, row))
      else columns = columnsOf(row.cells)
    }
  } catch (error) {
    throw error instanceof CsvMistake ? new StatementMistake(error.message, { cause: error }) : error
  }
  // A CSV does not name its account.
  return { account: 'csv', lines }
}

// ---- CAMT.053

const VERSIONS = ['camt.053.001.02', 'camt.053.001.08']

const many = <Shape extends z.ZodMiniType>(shape: Shape) => z._default(z.array(shape), [])
const text = z.optional(z.string())
const party = z.optional(z.looseObject({ Nm: text, Pty: z.optional(z.looseObject({ Nm: text })) }))
const dated = z.optional(z.looseObject({ Dt: text, DtTm: text }))

const Entry = z.looseObject({
  Amt: z.looseObject({ '#text': z.string(), '@Ccy': z.string() }),
  CdtDbtInd: z.enum(['CRDT', 'DBIT']),
  // A code of its own since version .04.
  Sts: z.union([z.string(), z.looseObject({ Cd: text })]),
  BookgDt: dated,
  ValDt: dated,
  AcctSvcrRef: text,
  AddtlNtryInf: text,
  NtryDtls: many(
    z.looseObject({
      TxDtls: many(
        z.looseObject({
          Refs: z.optional(z.looseObject({ EndToEndId: text, AcctSvcrRef: text })),
          RltdPties: z.optional(z.looseObject({ Dbtr: party, Cdtr: party })),
          RmtInf: z.optional(z.looseObject({ Ustrd: many(z.string()) })),
        }),
      ),
    }),
  ),
})

const Camt = z.looseObject({
  Document: z.looseObject({
    BkToCstmrStmt: z.looseObject({
      Stmt: many(
        z.looseObject({
          Acct: z.looseObject({
            Id: z.looseObject({ IBAN: text, Othr: z.optional(z.looseObject({ Id: text })) }),
          }),
          Ntry: many(z.unknown()),
        }),
      ),
    }),
  }),
})

const lists = new Set(['Stmt', 'Ntry', 'NtryDtls', 'TxDtls', 'Ustrd'])

const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  // The five of XML itself; a document type, which could define more, is refused before.
  processEntities: true,
  isArray: (name) => lists.has(name),
})

function readCamt(bytes: Uint8Array): BankStatement {
  let xml
  try {
    xml = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new StatementMistake('This XML file is not in UTF-8.', { cause: error })
  }
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml))
    throw new StatementMistake('This XML file has a document type, which no bank statement has.')
  const version = /camt\.\d{3}\.\d{3}\.\d{2}/.exec(xml.slice(0, 2000))?.[0]
  if (!version || !VERSIONS.includes(version))
    throw new StatementMistake(
      `This is ${version ? `‘${version}’` : 'no CAMT file'}. The shop reads camt.053.001.02, camt.053.001.08 and CSV.`,
    )
  const validity = XMLValidator.validate(xml)
  if (validity !== true)
    throw new StatementMistake(`Line ${validity.err.line} of this file is not valid XML: ${validity.err.msg}`)
  const parsed = Camt.safeParse(parser.parse(xml))
  if (!parsed.success) throw new StatementMistake('This file has no statement of an account in it.')
  const statements = parsed.data.Document.BkToCstmrStmt.Stmt
  const accounts = [...new Set(statements.map(({ Acct: { Id } }) => Id.IBAN ?? Id.Othr?.Id ?? ''))]
  if (accounts.length !== 1 || !accounts[0])
    throw new StatementMistake('This file must have statements of one account. Please export each account by itself.')
  const entries = statements.flatMap(({ Ntry }) => Ntry)
  return { account: accounts[0], lines: entries.flatMap((entry, index) => lineOfEntry(entry, index + 1)) }
}

/** Nothing for an entry that is not booked yet. @param number of the entry in the file, from 1 */
function lineOfEntry(found: unknown, number: number): BankLine[] {
  const parsed = Entry.safeParse(found)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new StatementMistake(`Entry ${number} is incomplete: ${issue?.path.join('/') || 'Ntry'} is missing or wrong.`)
  }
  const { Amt, CdtDbtInd, Sts, BookgDt, ValDt, AcctSvcrRef, AddtlNtryInf, NtryDtls } = parsed.data
  if ((typeof Sts === 'string' ? Sts : Sts.Cd) !== 'BOOK') return []
  const date = BookgDt?.Dt ?? BookgDt?.DtTm ?? ValDt?.Dt ?? ValDt?.DtTm ?? ''
  const day = readDay(date)
  if (day === undefined) throw new StatementMistake(`Entry ${number}: ‘${date.slice(0, 40)}’ is not a date.`)
  const amount = centsFromDecimal(Amt['#text'])
  if (amount === undefined)
    throw new StatementMistake(`Entry ${number}: ‘${Amt['#text'].slice(0, 40)}’ is not an amount.`)
  const details = NtryDtls.flatMap(({ TxDtls }) => TxDtls)
  return [
    {
      day,
      amount: CdtDbtInd === 'CRDT' ? amount : negate(amount),
      currency: Amt['@Ccy'].toLowerCase(),
      text: lineText([
        ...details.flatMap(({ RltdPties, RmtInf, Refs }) => {
          const other = CdtDbtInd === 'CRDT' ? RltdPties?.Dbtr : RltdPties?.Cdtr
          const endToEnd = Refs?.EndToEndId === 'NOTPROVIDED' ? undefined : Refs?.EndToEndId
          return [other?.Nm ?? other?.Pty?.Nm, ...(RmtInf?.Ustrd ?? []), endToEnd]
        }),
        AddtlNtryInf,
      ]),
      reference: AcctSvcrRef ?? details[0]?.Refs?.AcctSvcrRef ?? null,
    },
  ]
}
