export default function Shop() {
  return (
    <form method="post" action="/buy/1007">
      <button type="submit">Pay GHS 36.50 with mobile money</button>
    </form>
  );
}
