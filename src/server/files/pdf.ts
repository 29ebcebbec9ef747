import { buffer } from 'node:stream/consumers'

/** US letter, in points. */
const PAGE = { width: 612, height: 792 } as const
export const LEFT = 56
export const RIGHT = PAGE.width - LEFT
const BOTTOM = PAGE.height - 84

/** In points. */
const LOGO = { width: 200, height: 36 } as const

const REGULAR = 'NotoSans-Regular.ttf'
const BOLD = 'NotoSans-Bold.ttf'

type TextStyle = {
  /** In points. */
  size?: number
  isBold?: boolean
  isGray?: boolean
  /** The text ends at `x`. */
  isRight?: boolean
}

type Paper = {
  shopName: string
  /** A PNG in place of the name at the top. */
  logo: Buffer | undefined
  title: string
  heading: string
  madeAt: Date
  /** For a document that is kept for years: PDF/A-3, with its structured form as Factur-X, if it has one. Then the title has letters and digits alone. */
  archived?: { structured: string | null } | undefined
}

/**
 * A PDF of text and rules, written from top to bottom, with the shop's name and a heading on the first page. Fonts are embedded,
 * with the glyphs used. The same input makes the same bytes.
 * @param madeAt the document's creation date
 */
export async function openPaper({ shopName, logo, title, heading, madeAt, archived }: Paper) {
  // Loaded only here: most instances never write a PDF after their start.
  const [{ default: PdfDocument }, { openFont, runsOf }] = [await import('pdfkit'), await import('./fonts.ts')]
  const doc = new PdfDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    bufferPages: true,
    font: '',
    lang: 'en-US',
    displayTitle: true,
    ...(archived && { pdfVersion: '1.7', subset: 'PDF/A-3b' }),
    info: { Title: title, CreationDate: madeAt, ...(archived && { ModDate: madeAt }) },
  })
  if (archived?.structured != null) embedInvoice(doc, archived.structured, madeAt)
  const done = buffer(doc)
  const registered = new Set<string>()
  let y = 78

  const useFont = (name: string, size: number) => {
    // The types do not know that a parsed font is accepted (since 0.20).
    if (!registered.has(name)) doc.registerFont(name, openFont(name) as unknown as Buffer)
    registered.add(name)
    return doc.font(name, size)
  }
  const measuredRuns = (text: string, size: number, isBold: boolean) =>
    runsOf(text, isBold ? BOLD : REGULAR).map((run) => ({
      ...run,
      width: useFont(run.font, size).widthOfString(run.text),
    }))
  const widthOf = (text: string, size: number, isBold = false) =>
    measuredRuns(text, size, isBold).reduce((sum, { width }) => sum + width, 0)

  const paper = {
    /** Draws one line with its baseline at the current height. */
    text(text: string, x: number, { size = 10, isBold = false, isGray = false, isRight = false }: TextStyle = {}) {
      let at = isRight ? x - widthOf(text, size, isBold) : x
      for (const run of measuredRuns(text, size, isBold)) {
        useFont(run.font, size)
          .fillColor(isGray ? '#5c5c5c' : '#1c1c1c')
          .text(run.text, at, y, { lineBreak: false, baseline: 'alphabetic' })
        at += run.width
      }
    },
    rule: (thickness: number) => doc.lineWidth(thickness).moveTo(LEFT, y).lineTo(RIGHT, y).stroke('#1c1c1c'),
    /** Moves down on the same page. */
    move(by: number) {
      y += by
    },
    /** Moves down, to a new page if `needed` points do not fit. @returns whether it is a new page */
    down(by: number, needed = 0): boolean {
      y += by
      if (y + needed <= BOTTOM) return false
      doc.addPage()
      y = 72
      return true
    },
    /** A name and its value. */
    fact(name: string, value: string) {
      paper.text(name, LEFT, { isGray: true })
      paper.text(value, LEFT + 96, { isBold: true })
      paper.down(17)
    },
    wrap: (text: string, size: number, width: number, isBold = false) =>
      wrapText(text, width, (part) => widthOf(part, size, isBold)),
    /** Adds the footer of every page: an address and what the document is about. */
    finish(address: string, about: (page: number, pages: number) => string): Promise<Buffer> {
      const { count } = doc.bufferedPageRange()
      for (let page = 0; page < count; page += 1) {
        doc.switchToPage(page)
        y = PAGE.height - 62
        paper.rule(0.5)
        y += 16
        paper.text(`${shopName} · ${address}`, LEFT, { size: 9, isGray: true })
        paper.text(about(page + 1, count), RIGHT, { size: 9, isGray: true, isRight: true })
      }
      doc.end()
      return done
    },
  }
  if (logo) doc.image(logo, LEFT, y - LOGO.height, { fit: [LOGO.width, LOGO.height], valign: 'bottom' })
  else paper.text(shopName, LEFT, { size: 24, isBold: true })
  paper.text(heading, RIGHT, { size: 16, isRight: true })
  paper.down(14)
  paper.rule(1.4)
  paper.down(32)
  return paper
}

const INVOICE_FILE = 'factur-x.xml'

/** Factur-X 1.0: the structured form is attached, and the metadata say so by a schema of their own. */
function embedInvoice(doc: PDFKit.PDFDocument, xml: string, madeAt: Date): void {
  // The types do not know the relationship (since 0.15), nor further metadata.
  const open = doc as unknown as {
    file(bytes: Buffer, options: Record<string, unknown>): void
    appendXML(xml: string): void
  }
  open.file(Buffer.from(xml), {
    ...{ name: INVOICE_FILE, type: 'text/xml', relationship: 'Alternative', description: 'Factur-X invoice' },
    ...{ creationDate: madeAt, modifiedDate: madeAt },
  })
  const uri = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'
  const values = {
    DocumentFileName: INVOICE_FILE,
    DocumentType: 'INVOICE',
    Version: '1.0',
    ConformanceLevel: 'EN 16931',
  }
  const described = Object.keys(values).map(
    (name) =>
      `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name>` +
      '<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>' +
      `<pdfaProperty:description>${name} of the attached invoice</pdfaProperty:description></rdf:li>`,
  )
  open.appendXML(
    '<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"' +
      ' xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">' +
      '<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">' +
      '<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>' +
      `<pdfaSchema:namespaceURI>${uri}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>` +
      `<pdfaSchema:property><rdf:Seq>${described.join('')}</rdf:Seq></pdfaSchema:property>` +
      '</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>' +
      `<rdf:Description rdf:about="" xmlns:fx="${uri}">` +
      Object.entries(values)
        .map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`)
        .join('') +
      '</rdf:Description>',
  )
}

/** Breaks a text into lines of at most `width`, at spaces and after Chinese and Japanese characters; a longer word gets its own line. */
export function wrapText(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  for (const part of text.split(/(?<=[ \p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u)) {
    if (line && widthOf((line + part).trimEnd()) > width) {
      lines.push(line.trimEnd())
      line = part
    } else line += part
  }
  return [...lines, line]
}
