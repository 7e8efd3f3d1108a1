import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { PropertyType, ResourceProperties } from '@aws-cdk/service-spec-types';
import * as z from 'zod';

/** AWS's specification of all resource types. */
const spec = loadAwsServiceSpecSync();

/** Returns unknown and missing properties, which CloudFormation would reject. */
export function faultsOf(type: string, properties: Readonly<Record<string, unknown>>): string[] {
  return faultsOfObject(properties, resourceType(type).properties, type);
}

export function isStateful(type: string): boolean {
  return resourceType(type).isStateful === true;
}

/** Returns the properties that may replace the resource when changed. */
export function replacingProperties(type: string): string[] {
  const { properties } = resourceType(type);
  return Object.keys(properties).filter((name) => /yes|maybe/.test(properties[name]?.causesReplacement ?? 'no'));
}

function resourceType(type: string) {
  const [found] = spec.lookup('resource', 'cloudFormationType', 'equals', type);
  if (!found) throw new Error(`AWS has no resource type ${type}`);
  return found;
}

function faultsOfObject(value: object, properties: ResourceProperties, path: string): string[] {
  const given = new Map(Object.entries(value));
  const unknown = [...given.keys()].filter((name) => !properties[name]);
  const missing = Object.keys(properties).filter((name) => properties[name]?.required && !given.has(name));
  return [
    ...unknown.map((name) => `${path} has no property ${name}`),
    ...missing.map((name) => `${path} lacks ${name}`),
    ...[...given].flatMap(([name, inner]) => {
      const property = properties[name];
      return property ? faultsOfValue(inner, property.type, `${path}.${name}`) : [];
    }),
  ];
}

function faultsOfValue(value: unknown, type: PropertyType, path: string): string[] {
  if (isExpression(value)) return [];
  if (type.type === 'union') {
    // A structured type takes precedence over "any JSON".
    const described = type.types.filter((each) => /array|map|ref/.test(each.type));
    const faults = (described[0] ? described : type.types).map((each) => faultsOfValue(value, each, path));
    return faults.find((each) => each.length === 0) ?? faults[0] ?? [];
  }
  if (type.type === 'array') {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((each, n) => faultsOfValue(each, type.element, `${path}[${n}]`));
  }
  if (type.type === 'map' || type.type === 'ref') {
    const fields = Fields.safeParse(value);
    if (!fields.success) return [`${path} is no object`];
    if (type.type === 'ref')
      return faultsOfObject(fields.data, spec.get('typeDefinition', type.reference.$ref).properties, path);
    return Object.entries(fields.data).flatMap(([key, each]) => faultsOfValue(each, type.element, `${path}.${key}`));
  }
  if (type.type === 'json' || type.type === 'tag') return [];
  return typeof value === 'object' ? [`${path} is no ${type.type}`] : [];
}

const Fields = z.record(z.string(), z.unknown());

/** Returns true for CloudFormation intrinsic functions, such as `Ref`. */
function isExpression(value: unknown): boolean {
  const [name, ...more] = Object.keys(Fields.safeParse(value).data ?? {});
  return more.length === 0 && name !== undefined && (name === 'Ref' || name.startsWith('Fn::'));
}
