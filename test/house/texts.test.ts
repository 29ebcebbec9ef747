import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-api'
import { expect, test } from 'vitest'
import { languages } from '#shared/language.ts'
import { pageWords, words, type Words } from '#words/words.ts'
import { ROOT } from './files.ts'

// The shop speaks five languages: a text stands in the catalog of words, or the page has it in English only.

/** Who is invited to the admin reads English there. */
const forStaff = 'src/web/accounts/InvitationPage.tsx'

/** What shoppers see. Partners, owners and their files are English. */
const spoken = globSync(
  'src/web/{accounts,app,cart,catalog,checkout,claims,content,drops,gift,messages,orders,pay,privacy,raffles,reviews,theme,ui}/**/*.{ts,tsx}',
  { cwd: ROOT },
).filter((path) => !path.includes('.test.') && path !== forStaff)

/** Attributes of our components and of HTML that people read. */
const readAttributes =
  /^(?:label|title|alt|hint|placeholder|aria-label|aria-description|text|error|summary|heading|announcement|caption|subject)$/

const isText = (text: string): boolean => /\p{Letter}{2}/u.test(text)

/** @returns texts of a file that no language but English has, each with its line */
function hardCoded(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const report = (node: ts.Node, text: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart())
    if (isText(text)) found.push(`${path}:${line + 1} ${text.trim().slice(0, 80)}`)
  }
  /** Texts that an expression can give. */
  const reportIn = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) report(node, node.text)
    else if (ts.isTemplateExpression(node))
      report(node, [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(''))
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(reportIn)
    else if (ts.isParenthesizedExpression(node)) reportIn(node.expression)
    else if (ts.isBinaryExpression(node))
      [node.left, node.right].forEach((side) =>
        ts.isStringLiteralLike(side) &&
        node.operatorToken.kind !== ts.SyntaxKind.PlusToken &&
        node.operatorToken.kind !== ts.SyntaxKind.QuestionQuestionToken &&
        node.operatorToken.kind !== ts.SyntaxKind.BarBarToken &&
        node.operatorToken.kind !== ts.SyntaxKind.AmpersandAmpersandToken
          ? undefined
          : reportIn(side),
      )
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) report(node, node.text)
    else if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent)) reportIn(node.expression)
    else if (ts.isJsxAttribute(node) && readAttributes.test(node.name.getText()) && node.initializer)
      reportIn((ts.isJsxExpression(node.initializer) && node.initializer.expression) || node.initializer)
    // A whole sentence anywhere.
    else if (
      (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) &&
      !isWord(node) &&
      !(ts.isJsxAttribute(node.parent) && node.parent.name.getText() === 'word') &&
      /^[A-Z]\S* .*\p{Letter}.*[.?!…]$/su.test(node.getText().slice(1, -1))
    )
      report(node, node.getText())
    ts.forEachChild(node, visit)
  }
  const isWord = (node: ts.Node): boolean =>
    (ts.isCallExpression(node.parent) && node.parent.expression.getText().startsWith('say')) ||
    ts.findAncestor(node, ts.isJsxAttribute)?.name.getText() === 'word' ||
    isTyped(node.parent)
  /** In a table of words, which is said where it is shown. */
  const isTyped = (node: ts.Node): boolean =>
    ts.isSatisfiesExpression(node)
      ? /\bWord\b/.test(node.type.getText())
      : !ts.isSourceFile(node) && !ts.isFunctionLike(node) && isTyped(node.parent)
  visit(file)
  return [...new Set(found)]
}

test('every text that shoppers read is in the catalog of words', () => {
  const found = spoken.flatMap((path) => hardCoded(path, readFileSync(join(ROOT, path), 'utf8')))
  expect(found).toEqual([])
})

test('a planted text is found, in markup, in an attribute and in a condition', () => {
  const planted = `const a = <p title="Two words">Hello there {b ? 'Yes' : say('No')}</p>`
  expect(hardCoded('a.tsx', planted)).toHaveLength(3)
})

/** `{name}` of a text, in their order of the alphabet. */
const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{([\w-]+)(?=[,}])/g)].flatMap(([, name]) => name ?? []))].toSorted()

test('every translation has the placeholders of its English text', () => {
  for (const [english, translated] of Object.entries<Words[string]>(words))
    for (const [language, text] of Object.entries(translated))
      expect({ english, language, names: placeholders(text) }).toEqual({
        english,
        language,
        names: placeholders(english),
      })
})

test('no text is in the catalog twice', () => {
  const files = globSync('src/words/catalog/*.ts', { cwd: ROOT })
  const own = files.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^ {2}(?:'(.*)'|"(.*)"|(\w+)):(?: \{|$)/gm)].map(
      ([, a, b, c]) => a ?? b ?? c ?? '',
    ),
  )
  expect(own.filter((word, at) => own.indexOf(word) !== at)).toEqual([])
  expect(languages).toHaveLength(5)
})

test('no page says a word that only emails have, which browsers don’t load', () => {
  const pages = [
    ...spoken,
    ...globSync(['src/site/*.ts', 'src/shared/*.ts', 'src/domain/!(imports|messages|reports|reconciliation)/**/*.ts'], {
      cwd: ROOT,
    }),
  ].map((path) => readFileSync(join(ROOT, path), 'utf8'))
  const ofEmails = Object.keys(words).filter((word) => !Object.hasOwn(pageWords, word))
  expect(ofEmails.length).toBeGreaterThan(100)
  const quoted = (word: string) => [`'${word.replaceAll("'", "\\'")}'`, `"${word}"`]
  expect(ofEmails.filter((word) => quoted(word).some((text) => pages.some((page) => page.includes(text))))).toEqual([])
})
