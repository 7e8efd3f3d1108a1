import { type PageCall, type Person, visitPath } from './dashboard.ts';
import type { World } from './world.ts';

export const ON_PHONE = '/dashboard/sign-in/phone';
const PHONES = '/dashboard/shared-phones';

export class TestPhone {
  readonly #cookies = new Map<string, string>();
  readonly #world: World;
  constructor(world: World) {
    this.#world = world;
  }

  async visit(path: string, request: PageCall = {}) {
    const answer = await visitPath(this.#world, path, { ...request, cookies: this.cookies });
    for (const one of answer.cookies) {
      const [, name = '', value = '', seconds] = /^(.+?)=(.*?); .*?Max-Age=(\d+)/.exec(one) ?? [];
      if (seconds === '0') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }

  get cookies(): string[] {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`);
  }

  copy(): TestPhone {
    const copy = new TestPhone(this.#world);
    for (const [name, value] of this.#cookies) copy.#cookies.set(name, value);
    return copy;
  }

  forget(name: string): void {
    this.#cookies.delete(`__Host-${name}`);
  }

  keep(name: string, value: string): void {
    this.#cookies.set(`__Host-${name}`, value);
  }

  open(path = ON_PHONE) {
    return this.visit(path);
  }

  pin({ user }: Pick<Person, 'user'>, pin: string, more: Readonly<Record<string, string>> = {}) {
    return this.visit(`${ON_PHONE}/person/${user.user_id}`, { form: { pin, ...more } });
  }

  setPin(person: Pick<Person, 'user'>, code: string, pin: string) {
    return this.pin(person, pin, { code, again: pin });
  }

  change() {
    return this.visit(`${ON_PHONE}/change`, { form: {} });
  }
}

export async function phoneLink(world: World, owner: Person, phone_name = 'Till at the door'): Promise<string> {
  const form = { person: owner.user.user_id, phone: 'new', phone_name };
  const { text } = await visitPath(world, `${PHONES}/add`, { by: owner, form });
  const [, path = ''] = /(\/dashboard\/sign-in\/phone\/add\/[\w.-]+)/.exec(text) ?? [];
  return path;
}

export async function addPhone(world: World, owner: Person, name?: string): Promise<TestPhone> {
  const phone = new TestPhone(world);
  await phone.visit(await phoneLink(world, owner, name), { form: {} });
  return phone;
}

export async function phonePage(world: World, owner: Person): Promise<string> {
  const { text } = await visitPath(world, PHONES, { by: owner });
  const [last] = [...text.matchAll(/\/dashboard\/shared-phones\/([0-7]\w{25})/g)].map(([path]) => path).slice(-1);
  if (last === undefined) throw new Error('The shop has no shared phone');
  return last;
}

export async function codeFor(
  world: World,
  owner: Person,
  { user }: Pick<Person, 'user'>,
  page?: string,
): Promise<string> {
  const phone = (page ?? (await phonePage(world, owner))).split('/').at(-1) ?? '';
  const form = { person: user.user_id, phone };
  const { text } = await visitPath(world, `${PHONES}/add`, { by: owner, form });
  const [, first = '', last = ''] = /<p class="big-code">(\d{4}) (\d{4})</.exec(text) ?? [];
  return `${first}${last}`;
}
