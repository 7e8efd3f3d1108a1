import type { Chance } from '../random.ts';

const FIRST =
  'KOFI AMA YAW ESI KWAME AKUA ABENA KWEKU EFUA KOJO ADWOA YAA FIIFI KWASI AKOSUA ARABA EKOW BAABA NII NAA KORKOR TETTEY DEDE AYELE EDEM MAWULI DZIFA AFI KOSI SENA ISSAH FUSEINI MARIAMA AMINA RASHID HAWA'.split(
    ' ',
  );
const MIDDLE = 'NANA PAPA MAAME SELORM DELALI OHENE ADOMA BENEDICTA EMMANUEL GRACE SAMUEL PRISCILLA DANIEL MERCY'.split(
  ' ',
);
const LAST =
  'MENSAH OWUSU BOATENG ASANTE OSEI APPIAH ADJEI DARKO ANNAN QUAYE TETTEH AGYEMAN OPOKU ANTWI ACHEAMPONG SARPONG BOAKYE AMOAH FRIMPONG NKRUMAH ANSAH ADDO ARTHUR ESSIEN ACQUAH LAMPTEY NARTEY ODURO BAAH YEBOAH AGBEKO AMEGASHIE DOGBE KUSI MAHAMA IDDRISU ALHASSAN SALIFU YAKUBU ABUBAKARI'.split(
    ' ',
  );

/** Common prices, so that amounts coincide. */
const PRICES = [10, 15, 20, 25, 36, 36, 50, 50, 60, 85, 120, 250, 480, 650, 1200];

export interface Person {
  /** The name registered with the network. */
  readonly registered: string;
  /** The name as entered in a shop, without the middle name. */
  readonly written: string;
}

export function personBy(chance: Chance): Person {
  const [first, last] = [chance.pick(FIRST), chance.pick(LAST)];
  const middle = chance.happens(0.3) ? [chance.pick(MIDDLE)] : [];
  const written = chance.happens(0.8) ? [first, last] : [last, first];
  return { registered: [first, ...middle, last].join(' '), written: written.join(' ') };
}

export function priceBy(chance: Chance): number {
  return chance.pick(PRICES);
}

/** Returns a number on a different network than the shop's. */
export function otherNumber(chance: Chance): string {
  return `+23320${String(chance.between(0, 9_999_999)).padStart(7, '0')}`;
}
