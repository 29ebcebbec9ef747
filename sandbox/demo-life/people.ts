// Names of people, places and streets.
// cspell:disable

/** Where somebody of the demo lives. Streets are real ones, the numbers and people invented; emails end in reserved domains. */
type Place = { line1: string; city: string; state: string | null; postal_code: string; country: string }

type Region = {
  /** How many of a hundred buyers live there. */
  weight: number
  first: readonly string[]
  last: readonly string[]
  places: readonly Place[]
}

const at = (country: string, line1: string, city: string, postal: string, state: string | null = null): Place => ({
  line1,
  city,
  state,
  postal_code: postal,
  country,
})

export const regions: readonly Region[] = [
  {
    weight: 52,
    first: ['Marcy', 'Deshawn', 'Priya', 'Walter', 'Rosa', 'Kelly', 'Tom', 'Imani', 'Greg', 'Nora', 'Luis', 'Hannah'],
    last: ['Whitaker', 'Okafor', 'Delgado', 'Brandt', 'Nguyen', 'Harris', 'Kowalski', 'Patel', 'Moreno', 'Sullivan'],
    places: [
      at('US', '418 W 22nd St', 'New York', '10011', 'NY'),
      at('US', '1207 E 6th St', 'Austin', '78702', 'TX'),
      at('US', '2231 NW Northrup St', 'Portland', '97210', 'OR'),
      at('US', '655 Valencia St', 'San Francisco', '94110', 'CA'),
      at('US', '3140 N Broadway', 'Chicago', '60657', 'IL'),
      at('US', '88 Prospect St', 'Providence', '02906', 'RI'),
      at('US', '1900 Blake St', 'Denver', '80202', 'CO'),
      at('US', '412 Peachtree St NE', 'Atlanta', '30308', 'GA'),
      at('US', '27 Elm St', 'Burlington', '05401', 'VT'),
      at('US', '540 Pine St', 'Seattle', '98101', 'WA'),
    ],
  },
  {
    weight: 9,
    first: ['Claire', 'Owen', 'Simone', 'Liam'],
    last: ['Tremblay', 'MacDonald', 'Singh', 'Roy'],
    places: [
      at('CA', '215 Spadina Ave', 'Toronto', 'M5T 2C7', 'ON'),
      at('CA', '1440 Rue Saint-Denis', 'Montreal', 'H2X 3J8', 'QC'),
      at('CA', '788 Beatty St', 'Vancouver', 'V6B 2M1', 'BC'),
    ],
  },
  {
    weight: 9,
    first: ['Imogen', 'Callum', 'Aisha', 'Rhys'],
    last: ['Hughes', 'Barlow', 'Khan', 'Fraser'],
    places: [
      at('GB', '14 Brick Lane', 'London', 'E1 6PU'),
      at('GB', '31 Deansgate', 'Manchester', 'M3 1AZ'),
      at('GB', '9 Rose Street', 'Edinburgh', 'EH2 2PR'),
    ],
  },
  {
    weight: 8,
    first: ['Katrin', 'Jonas', 'Renate', 'Emre'],
    last: ['Schubert', 'Vogel', 'Yilmaz', 'Brandt'],
    places: [
      at('DE', 'Oranienstraße 24', 'Berlin', '10999'),
      at('DE', 'Lindwurmstraße 88', 'München', '80337'),
      at('DE', 'Ehrenstraße 12', 'Köln', '50672'),
    ],
  },
  {
    weight: 5,
    first: ['Camille', 'Théo', 'Inès'],
    last: ['Lefèvre', 'Moreau', 'Bernard'],
    places: [at('FR', '22 Rue Oberkampf', 'Paris', '75011'), at('FR', '5 Rue Mercière', 'Lyon', '69002')],
  },
  {
    weight: 4,
    first: ['Sanne', 'Bram'],
    last: ['de Vries', 'Bakker'],
    places: [at('NL', 'Kinkerstraat 101', 'Amsterdam', '1053 DK')],
  },
  {
    weight: 4,
    first: ['Matilda', 'Jack', 'Mei'],
    last: ['Campbell', 'Nguyen', 'Walsh'],
    places: [
      at('AU', '320 Smith Street', 'Collingwood', '3066', 'VIC'),
      at('AU', '71 Crown Street', 'Surry Hills', '2010', 'NSW'),
    ],
  },
  {
    weight: 2,
    first: ['Aoife', 'Conor'],
    last: ['Byrne', 'Kelly'],
    places: [at('IE', '48 Camden Street', 'Dublin', 'D02 X285')],
  },
  {
    weight: 2,
    first: ['Freja', 'Emil'],
    last: ['Lund', 'Holm'],
    places: [at('DK', 'Elmegade 7', 'København', '2200')],
  },
  {
    weight: 2,
    first: ['Elsa', 'Axel'],
    last: ['Lindqvist', 'Berg'],
    places: [at('SE', 'Götgatan 44', 'Stockholm', '118 26')],
  },
  { weight: 1, first: ['Lena'], last: ['Gruber'], places: [at('AT', 'Neubaugasse 19', 'Wien', '1070')] },
  {
    weight: 1,
    first: ['Lucía'],
    last: ['Ortega'],
    places: [at('ES', 'Calle de Fuencarral 60', 'Madrid', '28004', 'M')],
  },
  { weight: 1, first: ['Chiara'], last: ['Ricci'], places: [at('IT', 'Via Tortona 31', 'Milano', '20144', 'MI')] },
]
