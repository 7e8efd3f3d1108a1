import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import * as assertions from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import cdk from '../../../cdk.json' with { type: 'json' };
import { Service } from '../../../infra/cdk/service.ts';
import { type Settings, settingsFrom } from '../../../infra/cdk/settings.ts';
import { matches } from '../../support/grants.ts';

const synthesised = new Map<string, Template>();

/**
 * Synthesises the service for a context, cached per worker. `change` overrides settings that the context cannot set.
 */
export function synthesise(context: Readonly<Record<string, string>> = {}, change: Partial<Settings> = {}): Template {
  const asked = JSON.stringify([context, change]);
  const template =
    synthesised.get(asked) ??
    templateOf((app) => {
      const service = new Service(app, { ...settingsFrom((name) => context[name]), ...change });
      return [service, ...service.parts.values()];
    });
  synthesised.set(asked, template);
  return template;
}

/** Synthesises without bundling and without CDK's rules, which are slow and covered by app.proof.ts. */
function templateOf(build: (app: App) => readonly [Stack, ...Stack[]]): Template {
  const outdir = mkdtempSync(join(tmpdir(), 'momo-kiosk-synth-'));
  const context = { ...cdk.context, 'aws:cdk:bundling-stacks': [] };
  const stacks = build(new App({ outdir, context, builtinCloudFormationValidation: false }));
  const template = new Template(
    stacks.map((stack) => ({ name: stack.stackName, template: assertions.Template.fromStack(stack).toJSON() })),
    stacks.every(({ terminationProtection }) => terminationProtection),
  );
  rmSync(outdir, { recursive: true });
  return template;
}

/** The combined templates of a stage's stacks, keyed by resource name. */
export class Template {
  readonly #template: z.infer<typeof CloudFormation>;
  /** Cached for speed. */
  readonly #texts = new WeakMap<object, string>();
  readonly #policies = new WeakMap<Resource, { Statement: Statement[] }[]>();

  /** True if the stack has termination protection. */
  readonly isProtected: boolean;

  /** Each stack's template, number of resources, and function names. */
  readonly stacks: readonly { name: string; template: unknown; resources: number; functions: string[] }[];

  constructor(stacks: readonly { name: string; template: unknown }[], isProtected = false) {
    const parsed = stacks.map(({ template }) => CloudFormation.parse(template));
    const [main, ...others] = parsed;
    if (!main) throw new Error('A stage has a stack');
    this.#template = {
      Resources: Object.assign({}, main.Resources, ...others.map(({ Resources }) => Resources)),
      Parameters: Object.assign({}, ...parsed.map(({ Parameters }) => Parameters)),
      Outputs: main.Outputs,
    };
    this.stacks = stacks.map(({ name, template }, n) => {
      const resources = Object.values(parsed[n]?.Resources ?? {});
      const functions = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function');
      return { name, template, resources: resources.length, functions: functions.map((one) => this.nameOf(one)) };
    });
    this.isProtected = isProtected;
  }

  /** Returns the resources, keyed by logical id. */
  get resources(): Readonly<Record<string, Resource>> {
    return this.#template.Resources;
  }

  all(type: string): Resource[] {
    return Object.values(this.#template.Resources).filter((resource) => resource.Type === type);
  }

  idOf(resource: Resource): string | undefined {
    return Object.entries(this.#template.Resources).find(([, one]) => one === resource)?.[0];
  }

  /** Returns the distinct resource types, sorted. */
  get types(): string[] {
    return [...new Set(Object.values(this.#template.Resources).map(({ Type }) => Type))].sort();
  }

  /** Returns the only resource with this type and name. */
  the(type: string, name: string): Resource {
    const [found, ...more] = this.all(type).filter((resource) => this.nameOf(resource) === name);
    if (!found || more.length > 0) throw new Error(`There is not one ${type} with the name ${name}`);
    return found;
  }

  /** Returns a property's text with references replaced by names. A stream's ARN becomes `name.StreamArn`. */
  text(value: unknown): string {
    if (typeof value !== 'object' || value === null) return String(value);
    const text = this.#texts.get(value) ?? this.#textOf(value);
    this.#texts.set(value, text);
    return text;
  }

  #textOf(value: object): string {
    const parsed = Expression.safeParse(value);
    if (!parsed.success) return String(value);
    const expression = parsed.data;
    if ('Fn::Join' in expression) return byName(expression['Fn::Join'][1].map((part) => this.text(part)).join(''));
    const [id, attribute] = 'Ref' in expression ? [expression.Ref, 'Ref'] : expression['Fn::GetAtt'];
    const stored = this.all('AWS::SSM::Parameter').find(
      ({ Properties }) => Properties.Name === this.#template.Parameters[id]?.Default,
    );
    if (stored) return this.text(stored.Properties.Value);
    const resource = this.#template.Resources[id];
    const name = resource ? this.nameOf(resource) : id;
    return ['Ref', 'Arn', 'QueueName'].includes(attribute) ? name : `${name}.${attribute}`;
  }

  nameOf(resource: Resource): string {
    const { Properties: it } = resource;
    const named = it.AlarmName ?? it.FunctionName ?? it.TableName ?? it.QueueName ?? it.LogGroupName;
    return this.text(named ?? it.TopicName ?? it.Name ?? '');
  }

  /** Returns a role's permissions, one line per action and resource, sorted. */
  grantsOf(role: Resource): string[] {
    return this.policiesOf(role)
      .flatMap((document) => this.statements(document))
      .sort();
  }

  /** Returns true if the role allows an action on items with these partition keys in one request. */
  permits(role: Resource, action: string, resource: string, keys: readonly string[]): boolean {
    const isAmong = (key: string, patterns: readonly string[]) => patterns.some((pattern) => matches(pattern, key));
    const statements = this.policiesOf(role).flatMap(({ Statement }) => Statement);
    return statements.some(({ Effect, Action, Resource, Condition }) => {
      const [every, some] = [keysOf(Condition, 'ForAllValues'), keysOf(Condition, 'ForAnyValue')];
      return (
        Effect === 'Allow' &&
        [Action].flat().includes(action) &&
        [Resource].flat().some((one) => this.text(one) === resource) &&
        (!every || keys.every((key) => isAmong(key, every))) &&
        (!some || keys.some((key) => isAmong(key, some)))
      );
    });
  }

  /** Returns the role's policy documents. */
  policiesOf(role: Resource): { Statement: Statement[] }[] {
    const policies =
      this.#policies.get(role) ??
      [
        ...(role.Properties.Policies ?? []),
        ...this.all('AWS::IAM::Policy')
          .filter(({ Properties }) => Properties.Roles.some((ref: { Ref: string }) => this.resource(ref) === role))
          .map(({ Properties }) => Properties),
      ].map(({ PolicyDocument }) => PolicyDocument);
    this.#policies.set(role, policies);
    return policies;
  }

  /** Returns a policy's permissions and their partitions, one line per action and resource. */
  statements(document: { Statement: Statement[] }): string[] {
    return document.Statement.filter(({ Effect }) => Effect === 'Allow').flatMap(({ Action, Resource, Condition }) =>
      [Action].flat().flatMap((action) =>
        [Resource].flat().map((resource) => {
          const partitions = keysOf(Condition, 'ForAnyValue');
          return `${action} ${this.text(resource)}${partitions ? ` of ${partitions.join(' ')}` : ''}`;
        }),
      ),
    );
  }

  /** Returns the resource referenced by a `Ref` or `Fn::GetAtt`. */
  resource(reference: unknown): Resource {
    const expression = Expression.parse(reference);
    if ('Fn::Join' in expression) throw new Error('A joined text refers to no one resource');
    const id = 'Ref' in expression ? expression.Ref : expression['Fn::GetAtt'][0];
    const resource = this.#template.Resources[id];
    if (!resource) throw new Error(`The template has no ${id}`);
    return resource;
  }

  get outputs(): Record<string, string> {
    const outputs = Object.entries(this.#template.Outputs);
    return Object.fromEntries(outputs.map(([name, { Value }]) => [name, this.text(Value)]));
  }
}

/** Replaces references to other stacks with resource names. */
function byName(text: string): string {
  const [, name] =
    /^arn:AWS::Partition:(?:dynamodb|logs):AWS::Region:AWS::AccountId:(?:table\/|log-group:)([^*]+?)(?::\*)?$/.exec(
      text,
    ) ?? [];
  return name ?? text;
}

/** Returns the partition keys in a condition with this operator. */
function keysOf(condition: Statement['Condition'], operator: string): string[] | undefined {
  const patterns = condition?.[`${operator}:StringLike`]?.['dynamodb:LeadingKeys'];
  return patterns === undefined ? undefined : [patterns].flat();
}

interface Statement {
  readonly Effect: string;
  readonly Action: unknown;
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

const Resource = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.any()).default({}),
  DeletionPolicy: z.string().optional(),
  DependsOn: z.union([z.string(), z.array(z.string())]).optional(),
});
export type Resource = z.infer<typeof Resource>;

const CloudFormation = z.object({
  Resources: z.record(z.string(), Resource),
  Parameters: z.record(z.string(), z.object({ Default: z.unknown() })).default({}),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown() })).default({}),
});

const Expression = z.union([
  z.object({ Ref: z.string() }),
  z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
  z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }),
]);
