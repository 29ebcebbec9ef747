import type { Language, OtherLanguage } from '#shared/language.ts'

/** Words that say nothing about a product, by language. */
const sayingNothing: Readonly<Record<Language, string>> = {
  en:
    'a an and any as at be but by do for from get have i in is it its me my of on or our please show some that the ' +
    'their them these this to want with you your',
  de: 'am an auf aus bitte das dem den der des die ein eine einem einen einer für fürs ich im in ist mein meine mit oder und vom von zu zum zur',
  fr: 'a au aux avec ce cet cette d dans de des du en et je l la le les ma mes mon ou par pour s un une vos votre',
  es: 'a al con de del el en es esta este la las lo los me mi mis o para por su sus un una unas unos y',
  ja: 'の と が を に で は',
}

export const stopWords = (language: Language): ReadonlySet<string> => new Set(sayingNothing[language].split(' '))

const endings: Readonly<Record<Language, readonly string[]>> = {
  en: [''],
  de: ['', 'e', 'er', 'es', 'en', 'em'],
  fr: ['', 'e', 's', 'es'],
  es: ['', 's', 'es'],
  ja: [''],
}

/** `schwarz` is also `schwarze`, `negro` also `negra`. Forms that nobody says do no harm. */
export const adjectiveForms = (language: Language, word: string): string[] =>
  (language === 'es' && word.endsWith('o') ? [word, word.replace(/o$/, 'a')] : [word]).flatMap((stem) =>
    endings[language].map((ending) => stem + ending),
  )

/** What people call things besides the names that the catalog of words gives them, by an English synonym of the type. */
export const otherNames: Readonly<Record<OtherLanguage, Readonly<Record<string, readonly string[]>>>> = {
  de: {
    hat: ['cap', 'caps', 'kappe', 'kappen', 'basecap', 'baseballkappe', 'hut', 'mütze', 'schirmmütze'],
    visor: ['visor', 'visier', 'schirmmütze', 'sonnenschild'],
    't shirt': ['shirt', 'shirts', 'tshirt', 'oberteil', 'hemd'],
    polo: ['polo', 'polohemd', 'poloshirt', 'hemd'],
    mug: ['tasse', 'tassen', 'kaffeetasse', 'kaffeebecher', 'pott', 'teetasse'],
    'water bottle': ['flasche', 'flaschen', 'trinkflasche', 'wasserflasche', 'thermosflasche'],
    pillow: ['kopfkissen', 'dekokissen', 'zierkissen', 'sofakissen'],
    blanket: ['wolldecke', 'kuscheldecke', 'sofadecke', 'überwurf'],
    tote: ['tasche', 'taschen', 'beutel', 'stoffbeutel', 'stofftasche', 'einkaufstasche', 'jutebeutel', 'tragetasche'],
    'can cooler': ['dosenkühler', 'kühler', 'getränkekühler'],
    'mouse pad': ['mauspad', 'mausmatte', 'mousepad'],
    hoodie: ['kapuzenpullover', 'kapuzenpulli', 'pullover', 'pulli'],
    sweatshirt: ['pullover', 'pulli', 'sweater'],
    'phone case': ['handyhülle', 'hülle', 'handycase'],
    poster: ['plakat', 'bild', 'wandbild'],
    sticker: ['aufkleber'],
  },
  fr: {
    hat: ['casquette', 'casquettes', 'bonnet', 'chapeau', 'képi'],
    visor: ['visière', 'casquette'],
    't shirt': ['tshirt', 'tee shirt', 'maillot', 'haut'],
    polo: ['polo', 'chemise'],
    mug: ['tasse', 'tasses', 'gobelet', 'chope'],
    'water bottle': ['gourde', 'bouteille', 'bouteilles', 'thermos'],
    pillow: ['coussin', 'oreiller', 'oreillers'],
    blanket: ['plaid', 'couverture', 'couvertures', 'jeté'],
    tote: ['sac', 'sacs', 'cabas', 'tote', 'sac en toile', 'tote bag'],
    'can cooler': ['porte canette', 'isotherme'],
    'mouse pad': ['tapis de souris', 'tapis', 'souris'],
    hoodie: ['sweat', 'sweat à capuche', 'pull'],
    sweatshirt: ['sweat', 'pull'],
    'phone case': ['coque', 'coque de téléphone', 'étui'],
    poster: ['affiche', 'tableau'],
    sticker: ['autocollant'],
  },
  es: {
    hat: ['gorra', 'sombrero', 'sombreros', 'gorro', 'gorros', 'cachucha'],
    visor: ['visera', 'gorra'],
    't shirt': ['camiseta', 'playera', 'remera', 'polera', 'franela', 'camisa'],
    polo: ['polo', 'camisa'],
    mug: ['taza', 'tazón', 'pocillo'],
    'water bottle': ['botella', 'termo', 'botella de agua', 'cantimplora'],
    pillow: ['cojín', 'almohada', 'almohadas', 'almohadón'],
    blanket: ['manta', 'frazada', 'cobija'],
    tote: ['bolsa', 'bolsas', 'bolso', 'bolsos', 'tote', 'bolsa de tela'],
    'can cooler': ['enfriador', 'portalatas'],
    'mouse pad': ['alfombrilla', 'alfombrilla de ratón', 'ratón'],
    hoodie: ['sudadera', 'sudadera con capucha', 'buzo'],
    sweatshirt: ['sudadera', 'suéter'],
    'phone case': ['funda', 'carcasa', 'funda de móvil'],
    poster: ['póster', 'cartel', 'cuadro'],
    sticker: ['pegatina', 'calcomanía'],
  },
  ja: {
    hat: ['キャップ', '帽子', 'ハット', 'ぼうし'],
    visor: ['バイザー', 'サンバイザー'],
    't shirt': ['シャツ', 'ティーシャツ', 'ｔシャツ'],
    polo: ['ポロ', 'シャツ'],
    mug: ['マグ', 'カップ', 'コップ', 'コーヒーカップ'],
    'water bottle': ['水筒', 'ボトル', 'タンブラー'],
    pillow: ['枕', 'まくら', 'ピロー'],
    blanket: ['毛布', 'ひざ掛け', 'ひざかけ'],
    tote: ['バッグ', 'カバン', 'かばん', '鞄', 'トート', 'エコバッグ'],
    'can cooler': ['保冷', '缶ホルダー'],
    'mouse pad': ['マウスパット'],
    hoodie: ['フーディー', 'フーディ'],
    sweatshirt: ['スウェット'],
    'phone case': ['ケース', 'スマホカバー'],
    poster: ['絵'],
    sticker: ['シール'],
  },
}
