/** Words a person gave something to find it by. */
export const Tags = ({ of }: { of: readonly string[] }) =>
  of.length === 0 ? (
    <>—</>
  ) : (
    <span className="row tight tags">
      {of.map((tag) => (
        <span key={tag} className="tag">
          {tag}
        </span>
      ))}
    </span>
  );
