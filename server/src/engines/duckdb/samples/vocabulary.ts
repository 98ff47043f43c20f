/** Words the sample data is made of. Queries look for some of them, so changing one changes their results. */

/** Name and the region it lies in; a nation's key is its place in this list. */
export const NATIONS: readonly (readonly [name: string, region: number])[] = [
  ['ALGERIA', 0],
  ['ARGENTINA', 1],
  ['BRAZIL', 1],
  ['CANADA', 1],
  ['EGYPT', 4],
  ['ETHIOPIA', 0],
  ['FRANCE', 3],
  ['GERMANY', 3],
  ['INDIA', 2],
  ['INDONESIA', 2],
  ['IRAN', 4],
  ['IRAQ', 4],
  ['JAPAN', 2],
  ['JORDAN', 4],
  ['KENYA', 0],
  ['MOROCCO', 0],
  ['MOZAMBIQUE', 0],
  ['PERU', 1],
  ['CHINA', 2],
  ['ROMANIA', 3],
  ['SAUDI ARABIA', 4],
  ['VIETNAM', 2],
  ['RUSSIA', 3],
  ['UNITED KINGDOM', 3],
  ['UNITED STATES', 1],
]

export const REGIONS = ['AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST']

export const SEGMENTS = ['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'HOUSEHOLD', 'MACHINERY']
export const PRIORITIES = ['1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW']
export const SHIP_MODES = ['AIR', 'FOB', 'MAIL', 'RAIL', 'REG AIR', 'SHIP', 'TRUCK']
export const SHIP_INSTRUCTIONS = ['COLLECT COD', 'DELIVER IN PERSON', 'NONE', 'TAKE BACK RETURN']

export const TYPE_SIZES = ['ECONOMY', 'LARGE', 'MEDIUM', 'PROMO', 'SMALL', 'STANDARD']
export const TYPE_FINISHES = ['ANODIZED', 'BRUSHED', 'BURNISHED', 'PLATED', 'POLISHED']
export const TYPE_METALS = ['BRASS', 'COPPER', 'NICKEL', 'STEEL', 'TIN']

export const CONTAINER_SIZES = ['JUMBO', 'LG', 'MED', 'SM', 'WRAP']
export const CONTAINER_KINDS = ['BAG', 'BOX', 'CAN', 'CASE', 'DRUM', 'JAR', 'PACK', 'PKG']

const words = (text: string): string[] => text.trim().split(/\s+/)

/** A part's name is five of them; more than 68, so that the strides of `partName` never meet. */
export const COLOURS = words(`
  amber apricot aqua ash azure beige black blue bone brass brick bronze brown cerise charcoal cherry chestnut
  cinnamon clay cobalt copper coral cream crimson cyan denim dove ebony emerald fawn fern flame forest fuchsia
  garnet ginger gold granite green grey hazel heather honey ink iris ivory jade jet khaki lavender lemon lilac
  lime linen mango maple maroon mint moss mustard navy oak ochre olive onyx opal orange peach pearl pebble pine
  pink plum poppy rose ruby rust saffron sage sand scarlet sepia silver slate snow tan teal violet walnut white`)

export const STREETS = words(
  'Anchor Beacon Capstan Ferry Harbour Jetty Keel Lantern Mill Oar Pier Quay Rope Sail Tide Wharf',
)

/** Sixteen of each: a comment takes four bits of a number for every word. */
export const ADJECTIVES = words(
  'bold calm careful early even final fresh heavy idle late patient quiet ready sealed special tall',
)
export const NOUNS = words(
  'anchors barrels couriers crates deposits invoices ledgers letters pallets parcels pilots porters requests samples sailors tugs',
)
export const VERBS = words(
  'await balance carry count cross deliver follow guard hold join load meet pass reach sort wake',
)
export const PREPOSITIONS = words(
  'above across after against along among around before behind below beside between beyond near past under',
)
